-- The crawl database. Names are part of the contract: people query them.
-- Rows are appended by integer id; nothing that changes often is indexed. The order of the waiting
-- links lives in memory (focused/frontier.py) and is rebuilt from here.

CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;

CREATE TABLE site (
    id              INTEGER PRIMARY KEY,
    host            TEXT NOT NULL,              -- host, or host:port
    state           TEXT NOT NULL DEFAULT 'open',   -- open | closed
    why             TEXT,                       -- why it was closed
    pages           INTEGER NOT NULL DEFAULT 0, -- fetched
    relevant        INTEGER NOT NULL DEFAULT 0,
    relevance       REAL NOT NULL DEFAULT 0,    -- sum over its pages
    posterior       REAL,                       -- of the site being relevant (website crawler)
    mean_confidence REAL,
    budget          INTEGER,                    -- pages it may still cost; NULL: no limit
    errors          INTEGER NOT NULL DEFAULT 0, -- failures in a row
    delay           REAL,                       -- seconds between requests, where robots.txt asks for more
    next_ok_at      REAL NOT NULL DEFAULT 0,    -- unix time before which nothing is asked of it
    robots_status   INTEGER,
    robots          TEXT,
    robots_until    REAL
);

CREATE TABLE page (
    id          INTEGER PRIMARY KEY,            -- in order of discovery
    url         TEXT NOT NULL,
    site_id     INTEGER NOT NULL,
    state       INTEGER NOT NULL DEFAULT 0,     -- 0 waiting, 1 leased, 2 done, 3 given up, 4 done and leased again
    score       REAL NOT NULL,                  -- higher = sooner
    rescored    INTEGER NOT NULL DEFAULT 0,     -- the score is no longer the one in `discovery`
    depth       INTEGER NOT NULL,
    parent_id   INTEGER,                        -- the page that gave it its score
    hops        INTEGER NOT NULL DEFAULT 0,     -- redirects on the way here
    tries       INTEGER NOT NULL DEFAULT 0,
    token       INTEGER NOT NULL DEFAULT 0,     -- fencing: grows with each lease
    deaths      INTEGER NOT NULL DEFAULT 0,     -- how often the process died while reading it
    not_before  REAL,                           -- a retry waits until then
    outcome     TEXT,                           -- ok | http_404 | timeout | robots | ...
    visit       INTEGER,                        -- 1, 2, 3 ... in the order the pages were done; NULL if none was had
    fetched_at  REAL,
    status      INTEGER,
    relevance   REAL,
    relevant    INTEGER,
    class       TEXT,
    title       TEXT,
    hash        INTEGER,                        -- xxh3 of the body
    warc_offset INTEGER,                        -- of the newest response
    etag        TEXT,                           -- what the server said of the newest response, for the next visit
    last_modified TEXT,
    last_visit  REAL,                           -- the last look at it after it was had; NULL: there was none
    revisits    INTEGER NOT NULL DEFAULT 0,     -- looks that were answered
    changes     INTEGER NOT NULL DEFAULT 0,     -- and found another page than before, or none
    trail       TEXT,                           -- JSON: what the path to it remembers
    request     TEXT                            -- JSON: a spider's own request
);

-- The same pages packed by the dozen, so that a restart reads arrays and not rows: one row for each
-- page that brought new links; the n-th entry of each array belongs to page first_id + n.
CREATE TABLE discovery (
    first_id INTEGER PRIMARY KEY,
    keys     BLOB NOT NULL,                     -- int64: xxh3 of the canonical URL (or of a spider's own request)
    sites    BLOB NOT NULL,                     -- uint32
    scores   BLOB NOT NULL                      -- float64
);

CREATE TABLE link (
    source_id INTEGER NOT NULL,
    target_id INTEGER NOT NULL,
    anchor    TEXT,
    dom_path  TEXT,
    score     REAL,
    PRIMARY KEY (source_id, target_id)
) WITHOUT ROWID;

CREATE TABLE hub (page_id INTEGER PRIMARY KEY, hub REAL, authority REAL, at_pages INTEGER);
CREATE TABLE category (id INTEGER PRIMARY KEY, parent_id INTEGER, name TEXT NOT NULL, good INTEGER NOT NULL DEFAULT 0);
CREATE TABLE event (at REAL NOT NULL, kind TEXT NOT NULL, detail TEXT);
CREATE TABLE memory (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;  -- JSON: what ordering and budget remember
CREATE TABLE output (name TEXT PRIMARY KEY, offset INTEGER NOT NULL) WITHOUT ROWID;

CREATE INDEX page_visit ON page (visit) WHERE visit IS NOT NULL;

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

-- Questions of Chakrabarti 1999, §1, §4.3 and §5.7. They read whole tables: seconds on a large crawl.

-- How often URLs were tried: 0 still to fetch, 1 fetched or failed, more: tried again.
CREATE VIEW try_census AS SELECT tries, count(*) AS pages FROM page GROUP BY tries ORDER BY tries;

CREATE VIEW class_census AS
    SELECT class, count(*) AS pages, sum(coalesce(relevant, 0)) AS relevant, avg(relevance) AS mean_relevance
    FROM page WHERE visit IS NOT NULL AND class IS NOT NULL GROUP BY class ORDER BY pages DESC, class;

-- What relevant pages link to: classes that may belong to the topic as well.
CREATE VIEW neighbour_class AS
    SELECT target.class, count(DISTINCT target.id) AS pages, count(*) AS links
    FROM link JOIN page source ON source.id = link.source_id JOIN page target ON target.id = link.target_id
    WHERE source.relevant = 1 AND target.visit IS NOT NULL AND target.class IS NOT NULL
    GROUP BY target.class ORDER BY pages DESC, target.class;

-- Links from pages of one class to pages of another on other sites.
CREATE VIEW class_link AS
    SELECT source.class AS source_class, target.class AS target_class, count(*) AS links,
           count(DISTINCT source.site_id) AS source_sites, count(DISTINCT target.site_id) AS target_sites
    FROM link JOIN page source ON source.id = link.source_id JOIN page target ON target.id = link.target_id
    WHERE source.class IS NOT NULL AND target.class IS NOT NULL AND source.site_id <> target.site_id
    GROUP BY 1, 2 ORDER BY links DESC, 1, 2;

-- Sites by the density of the topic on them; the purest ones may serve as examples, once somebody has looked at them.
CREATE VIEW site_rating AS
    SELECT id, host, pages, relevance / pages AS density, relevant FROM site WHERE pages > 0 ORDER BY density DESC, id;

CREATE VIEW purest_site AS
    SELECT id, host, pages, relevant, relevant * 1.0 / pages AS purity, relevance / pages AS density
    FROM site WHERE pages >= 5 AND relevant * 10 >= pages * 9 ORDER BY purity DESC, density DESC, id;

-- Where the topic grows: relevant pages a site gave in the last tenth of the crawl, and in the tenth before.
CREATE VIEW site_growth AS
    SELECT site.id, site.host, sum(visit <= last * 9 / 10) AS before, sum(visit > last * 9 / 10) AS lately
    FROM page JOIN site ON site.id = page.site_id JOIN (SELECT max(visit) AS last FROM page)
    WHERE page.relevant = 1 AND visit > last * 8 / 10 GROUP BY site.id ORDER BY lately - before DESC, lately DESC, site.id;

-- What hubs link to on other sites and was never tried.
CREATE VIEW hub_neighbour AS
    SELECT hub.page_id AS hub_id, hub.hub, page.id AS page_id, page.url, page.score
    FROM hub JOIN link ON link.source_id = hub.page_id JOIN page source ON source.id = hub.page_id
    JOIN page ON page.id = link.target_id
    WHERE hub.hub > 0 AND page.tries = 0 AND page.site_id <> source.site_id ORDER BY hub.hub DESC, hub.page_id, page.id;

-- Links that a hub raised to the front, and what became of them.
CREATE VIEW promotion AS
    SELECT page.id AS page_id, CAST(substr(event.detail, instr(event.detail, 'hub ') + 4) AS INTEGER) AS hub_id, event.at,
           page.url, page.state, page.visit, page.relevance, page.relevant
    FROM event JOIN page ON page.id = CAST(substr(event.detail, 6) AS INTEGER) WHERE event.kind = 'promoted';
