"""Run: plan, execution on threads, progress, resume, summary.

Executes the missing parts of a plan and writes them through the store.
"""
