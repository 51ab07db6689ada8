-- The crawl database on PostgreSQL, one schema a crawl. Tables and columns are called as in schema.sql; besides:
-- sites have an owner, links to other workers' sites lie in `inbox` until the owner takes them, and a page's key,
-- which in SQLite is packed in `discovery`, is a column: unique on its site.

CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT);

CREATE TABLE worker (
    id          INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,           -- of the files it writes, wherever it runs
    epoch       BIGINT NOT NULL DEFAULT 1,      -- fencing: grows when it begins, and when its lease has run out
    batch       BIGINT NOT NULL DEFAULT 0,      -- its last commit
    alive_until TIMESTAMPTZ,                    -- its lease on all its sites; NULL: it is gone
    waiting     INTEGER NOT NULL DEFAULT 0,     -- sites of its own with links that wait
    busy        INTEGER NOT NULL DEFAULT 0,     -- links that wait there or are under way
    seen_at     TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE TABLE site (
    id              BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    host            TEXT NOT NULL UNIQUE,
    state           TEXT NOT NULL DEFAULT 'open',
    why             TEXT,
    pages           INTEGER NOT NULL DEFAULT 0,
    relevant        INTEGER NOT NULL DEFAULT 0,
    relevance       DOUBLE PRECISION NOT NULL DEFAULT 0,
    posterior       DOUBLE PRECISION,
    mean_confidence DOUBLE PRECISION,
    budget          INTEGER,
    errors          INTEGER NOT NULL DEFAULT 0,
    delay           DOUBLE PRECISION,
    next_ok_at      DOUBLE PRECISION NOT NULL DEFAULT 0,
    robots_status   INTEGER,
    robots          TEXT,
    robots_until    DOUBLE PRECISION,
    owner           INTEGER,                    -- the worker that asks it; NULL: none
    best            DOUBLE PRECISION            -- its best waiting score when it was let go; NULL: nothing waited
) WITH (fillfactor = 70);
CREATE INDEX site_owner ON site (owner) WHERE owner IS NOT NULL;
CREATE INDEX site_free ON site (best DESC) WHERE owner IS NULL AND best IS NOT NULL;

CREATE SEQUENCE page_id INCREMENT BY 1000;      -- a worker takes ids by the thousand

CREATE TABLE page (
    id          BIGINT NOT NULL,
    site_id     BIGINT NOT NULL,
    key         BIGINT NOT NULL,                -- xxh3 of the canonical URL (or of a spider's own request)
    state       SMALLINT NOT NULL DEFAULT 0,
    hops        SMALLINT NOT NULL DEFAULT 0,
    tries       INTEGER NOT NULL DEFAULT 0,
    token       INTEGER NOT NULL DEFAULT 0,
    deaths      INTEGER NOT NULL DEFAULT 0,
    depth       INTEGER NOT NULL,
    status      INTEGER,
    score       DOUBLE PRECISION NOT NULL,
    parent_id   BIGINT,
    not_before  DOUBLE PRECISION,
    visit       BIGINT,
    fetched_at  DOUBLE PRECISION,
    relevance   DOUBLE PRECISION,
    hash        BIGINT,
    warc_offset BIGINT,
    worker_id   INTEGER,                        -- whose WARC it is in
    relevant    SMALLINT,
    url         TEXT NOT NULL,
    outcome     TEXT,
    class       TEXT,
    title       TEXT,
    etag        TEXT,
    last_modified TEXT,
    last_visit  DOUBLE PRECISION,
    revisits    INTEGER NOT NULL DEFAULT 0,
    changes     INTEGER NOT NULL DEFAULT 0,
    trail       TEXT,
    request     TEXT,
    links       INTEGER,                        -- where the score is a mean over several links: how many
    UNIQUE (site_id, key)
) PARTITION BY HASH (site_id);

CREATE TABLE link (
    source_id BIGINT NOT NULL,
    target_id BIGINT NOT NULL,
    anchor    TEXT,
    dom_path  TEXT,
    score     DOUBLE PRECISION,
    PRIMARY KEY (source_id, target_id)
) PARTITION BY HASH (source_id);

DO $$ BEGIN
    FOR part IN 0..7 LOOP
        EXECUTE format('CREATE TABLE page_%s PARTITION OF page FOR VALUES WITH (MODULUS 8, REMAINDER %s)
            WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)', part, part);
        EXECUTE format('CREATE TABLE link_%s PARTITION OF link FOR VALUES WITH (MODULUS 8, REMAINDER %s)', part, part);
    END LOOP;
END $$;

CREATE INDEX page_id_index ON page (id);
CREATE INDEX page_visit ON page (visit) WHERE visit IS NOT NULL;
CREATE INDEX page_leased ON page (site_id) WHERE state IN (1, 4);

-- Links to sites of other workers, or of nobody: with the page that has them, in one commit.
CREATE TABLE inbox (
    id        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site_id   BIGINT NOT NULL,
    key       BIGINT NOT NULL,
    url       TEXT NOT NULL,
    score     DOUBLE PRECISION NOT NULL,
    depth     INTEGER NOT NULL,
    source_id BIGINT,
    hops      INTEGER NOT NULL DEFAULT 0,
    trail     TEXT,
    request   TEXT,
    anchor    TEXT,
    dom_path  TEXT
);
CREATE INDEX inbox_site ON inbox (site_id);

-- What an ordering has to say to whoever has a site, with what brought it about, in one commit.
CREATE TABLE letter (
    id        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site_id   BIGINT NOT NULL,
    page_id   BIGINT,                           -- value is the new score of this page, if it waits; NULL: of the site
    value     DOUBLE PRECISION NOT NULL
);
CREATE INDEX letter_site ON letter (site_id);

CREATE TABLE total (pages BIGINT NOT NULL, relevant BIGINT NOT NULL, failed BIGINT NOT NULL);
INSERT INTO total VALUES (0, 0, 0);

CREATE TABLE hub (page_id BIGINT PRIMARY KEY, hub DOUBLE PRECISION, authority DOUBLE PRECISION, at_pages INTEGER);
CREATE TABLE category (id INTEGER PRIMARY KEY, parent_id INTEGER, name TEXT NOT NULL, good INTEGER NOT NULL DEFAULT 0);
CREATE TABLE event (
    at DOUBLE PRECISION NOT NULL, kind TEXT NOT NULL, detail TEXT, rowid BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY
);
-- holder: a site, for what moves with it to its next owner; or minus a worker.
CREATE TABLE memory (holder BIGINT NOT NULL, name TEXT NOT NULL, value TEXT, PRIMARY KEY (holder, name));
CREATE TABLE output (
    worker_id INTEGER NOT NULL, name TEXT NOT NULL, "offset" BIGINT NOT NULL, PRIMARY KEY (worker_id, name)
);

-- What all workers go by, packed: part is topic, examples or model; the latest version counts.
CREATE TABLE bundle (
    part    TEXT NOT NULL,
    version INTEGER NOT NULL,
    digest  TEXT NOT NULL,                      -- sha256 of names and contents
    content BYTEA NOT NULL,                     -- a zip
    at      TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (part, version)
);

CREATE VIEW relevant_page AS
    SELECT page.id, page.url, page.title, page.relevance, page.class, page.depth, page.visit, page.fetched_at, site.host
    FROM page JOIN site ON site.id = page.site_id WHERE page.relevant = 1 ORDER BY page.relevance DESC, page.visit;

CREATE VIEW harvest AS
    SELECT visit, page.id AS page_id, relevance, relevant,
           sum(coalesce(relevant, 0)) OVER (ORDER BY visit) AS relevant_so_far,
           sum(coalesce(relevant, 0)) OVER (ORDER BY visit) * 1.0 / visit AS harvest,
           avg(coalesce(relevant, 0)) OVER (ORDER BY visit ROWS 99 PRECEDING) AS harvest_100
    FROM page WHERE visit IS NOT NULL ORDER BY visit;

CREATE VIEW top_site AS
    SELECT id, host, pages, relevant, relevance / pages AS mean_relevance, relevant * 1.0 / pages AS harvest, state, why
    FROM site WHERE pages > 0 ORDER BY relevant DESC, relevance DESC, id;

CREATE VIEW try_census AS SELECT tries, count(*) AS pages FROM page GROUP BY tries ORDER BY tries;

CREATE VIEW class_census AS
    SELECT class, count(*) AS pages, sum(coalesce(relevant, 0)) AS relevant, avg(relevance) AS mean_relevance
    FROM page WHERE visit IS NOT NULL AND class IS NOT NULL GROUP BY class ORDER BY pages DESC, class;

CREATE VIEW neighbour_class AS
    SELECT target.class, count(DISTINCT target.id) AS pages, count(*) AS links
    FROM link JOIN page source ON source.id = link.source_id JOIN page target ON target.id = link.target_id
    WHERE source.relevant = 1 AND target.visit IS NOT NULL AND target.class IS NOT NULL
    GROUP BY target.class ORDER BY pages DESC, target.class;

CREATE VIEW class_link AS
    SELECT source.class AS source_class, target.class AS target_class, count(*) AS links,
           count(DISTINCT source.site_id) AS source_sites, count(DISTINCT target.site_id) AS target_sites
    FROM link JOIN page source ON source.id = link.source_id JOIN page target ON target.id = link.target_id
    WHERE source.class IS NOT NULL AND target.class IS NOT NULL AND source.site_id <> target.site_id
    GROUP BY 1, 2 ORDER BY links DESC, 1, 2;

CREATE VIEW site_rating AS
    SELECT id, host, pages, relevance / pages AS density, relevant FROM site WHERE pages > 0 ORDER BY density DESC, id;

CREATE VIEW purest_site AS
    SELECT id, host, pages, relevant, relevant * 1.0 / pages AS purity, relevance / pages AS density
    FROM site WHERE pages >= 5 AND relevant * 10 >= pages * 9 ORDER BY purity DESC, density DESC, id;

CREATE VIEW site_growth AS
    SELECT id, host, before, lately FROM (
        SELECT site.id, site.host, count(*) FILTER (WHERE visit <= last * 9 / 10) AS before,
            count(*) FILTER (WHERE visit > last * 9 / 10) AS lately
        FROM page JOIN site ON site.id = page.site_id CROSS JOIN (SELECT max(visit) AS last FROM page) AS newest
        WHERE page.relevant = 1 AND visit > last * 8 / 10 GROUP BY site.id, site.host) AS grown
    ORDER BY lately - before DESC, lately DESC, id;

CREATE VIEW hub_neighbour AS
    SELECT hub.page_id AS hub_id, hub.hub, page.id AS page_id, page.url, page.score
    FROM hub JOIN link ON link.source_id = hub.page_id JOIN page source ON source.id = hub.page_id
    JOIN page ON page.id = link.target_id
    WHERE hub.hub > 0 AND page.tries = 0 AND page.site_id <> source.site_id ORDER BY hub.hub DESC, hub.page_id, page.id;

CREATE VIEW promotion AS
    SELECT page.id AS page_id, CAST(substring(event.detail FROM 'hub ([0-9]+)') AS BIGINT) AS hub_id, event.at,
           page.url, page.state, page.visit, page.relevance, page.relevant
    FROM event JOIN page ON page.id = CAST(substring(event.detail FROM 'page ([0-9]+)') AS BIGINT)
    WHERE event.kind = 'promoted';
