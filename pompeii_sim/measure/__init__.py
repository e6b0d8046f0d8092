"""Measure: metric × rows → sufficient statistics → Estimate.

The only place where a metric is computed; used by summaries, stopping rules and analysis.
"""
