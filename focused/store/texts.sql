-- What full-text search needs, in a file of its own: a new crawl gets it with postgres.sql, one of version 2 alone.
-- Words are those of search.db (FTS5's porter unicode61): the worker takes them apart and off their accents, since what
-- PostgreSQL calls a word depends on the locale of the database; here they get Porter's stems, and none is left out.

CREATE TEXT SEARCH DICTIONARY stem (TEMPLATE = snowball, LANGUAGE = porter);
CREATE TEXT SEARCH CONFIGURATION words (COPY = pg_catalog.simple);
ALTER TEXT SEARCH CONFIGURATION words ALTER MAPPING FOR asciiword, word, numword WITH stem;

-- One row for each page that was had, in the commit of its visit; a page had again has its new text.
CREATE TABLE page_text (
    page_id BIGINT PRIMARY KEY,
    text    TEXT NOT NULL,                      -- its beginning, for what is shown of a hit; '' if it was not recorded
    words   TSVECTOR NOT NULL                   -- of title (A), address (B) and text (D)
) PARTITION BY HASH (page_id);

-- A commit puts the words of its pages on a list, and whoever finds it full sorts it in: a small one for each part, so
-- that no commit waits long for that, and a search, which reads the lists too, does not either.
DO $$ BEGIN
    FOR part IN 0..7 LOOP
        EXECUTE format('CREATE TABLE page_text_%s PARTITION OF page_text FOR VALUES WITH (MODULUS 8, REMAINDER %s)',
            part, part);
        EXECUTE format('CREATE INDEX page_text_%s_words ON page_text_%s USING gin (words)
            WITH (fastupdate = on, gin_pending_list_limit = 1024)', part, part);
    END LOOP;
END $$;
