-- The index of texts.

-- Pages with a text that is not in it, in the order of fetching.

-- name: missing
SELECT id FROM pages
WHERE depth IS NOT NULL AND status <> 'queued' AND status = 'fetched' AND "order" IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM indexed WHERE indexed.page = pages.id)
  AND EXISTS (SELECT 1 FROM contents WHERE contents.page = pages.id)
ORDER BY "order";

-- name: text
SELECT url, title, content, own
FROM pages JOIN contents ON contents.page = id LEFT JOIN parts ON parts.page = id
WHERE id = ?;

-- A number for the text of a page, unless another process was faster, or the page has another text by now.

-- name: put_page
INSERT INTO indexed (page) SELECT page FROM contents WHERE page = ? AND content = ? ON CONFLICT (page) DO NOTHING;

-- name: put_text
INSERT INTO texts (rowid, title, text) VALUES (?, ?, ?);

-- The best pages first. A word in the title counts four times; chosen, not measured.

-- name: find
SELECT pages.url
FROM texts CROSS JOIN indexed ON indexed.text = texts.rowid JOIN pages ON pages.id = indexed.page
WHERE texts MATCH ?
ORDER BY bm25(texts, 4.0, 1.0), pages.url;

-- name: size
SELECT count(*) FROM indexed;
