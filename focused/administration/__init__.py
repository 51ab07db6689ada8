"""Topics and their taxonomies as a person changes them — Chakrabarti 1999, §2 (F-02 to F-08)."""
