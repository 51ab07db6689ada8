"""One strategy per file. The papers they come from:

Chakrabarti 1999 — S. Chakrabarti, M. van den Berg, B. Dom: Focused crawling: a new approach to
    topic-specific Web resource discovery.
Batsakis 2007 — S. Batsakis: Focused crawling based on semantic, learning and hybrid methods (thesis).
De Bra 1994 — P. De Bra, G. Houben, Y. Kornatzky, R. Post: Information retrieval in distributed hypertexts.
Hersovici 1998 — M. Hersovici and others: The Shark-Search algorithm. An application: tailored Web site mapping.
    These two were not at hand; what is here follows their summary by Batsakis and what is commonly told of them.
Tsoi 2003 — A. C. Tsoi, D. Forsali, M. Gori, M. Hagenbuchner, F. Scarselli: A simple focused crawler.
"""
