"""One strategy per file. The papers they come from:

Chakrabarti 1999 — S. Chakrabarti, M. van den Berg, B. Dom: Focused crawling: a new approach to
    topic-specific Web resource discovery.
Batsakis 2007 — S. Batsakis: Focused crawling based on semantic, learning and hybrid methods (thesis).
"""
