"""Report: a run's answers on one page, as self-contained HTML or as Markdown with pictures beside it.

`build` asks the questions, `words` turns estimates into sentences, `html` and `markdown` write them down.
"""
