/* What a page says in pieces: semantic/parsing/text_pieces.py. */

#define SHORT_PIECE 160
#define LONGEST_DATE 24
#define MOST_QUOTED 16
#define MOST_NEAR 96
#define LONGEST_NUMBER 17
#define SHORTEST_ID 8

typedef struct {
    const unsigned char *quoted[MOST_QUOTED];
    Py_ssize_t sizes[MOST_QUOTED];
    int quoted_count;
    Py_ssize_t longest; /* bytes of a piece that may quote the address */
    Py_ssize_t left;    /* bytes that must be left of it */
    uint64_t near[MOST_NEAR];
    int near_count;
    const uint32_t *dates; /* hashes of the names of months and days, ascending */
    Py_ssize_t date_count;
    unsigned char *said, *spare; /* one piece, and room for the same */
    uint64_t *found;
    Py_ssize_t count, room;
} Pieces;

/* Go on with a CRC-32 as zlib computes it. */
static uint32_t
crc_of(uint32_t crc, const unsigned char *bytes, Py_ssize_t size)
{
    crc = ~crc;
    for (Py_ssize_t at = 0; at < size; at++)
        crc = crc_byte(crc, bytes[at]);
    return ~crc;
}

static int
is_figure(unsigned char byte)
{
    return byte >= '0' && byte <= '9';
}

static int
is_letter_byte(unsigned char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte >= 0x80;
}

/* Whether bytes of UTF-8 have a letter; punctuation of Latin-1, U+2000 to U+2FFF, U+3000 to U+303F and U+F000 on is none. */
static int
has_letter(const unsigned char *bytes, Py_ssize_t size)
{
    for (Py_ssize_t at = 0; at < size; at++) {
        unsigned char byte = bytes[at];
        if (byte < 0x80) {
            if (is_letter_byte(byte))
                return 1;
        }
        else if (byte >= 0xC3 && byte != 0xE2 && byte != 0xEF &&
                 !(byte == 0xE3 && at + 1 < size && bytes[at + 1] == 0x80))
            return 1;
    }
    return 0;
}

/* The length of an id (a81f03c9), a time of day (12:30, 12:30:59) or a small fraction (0.0213) that begins here, 0 for
 * none of them. */
static Py_ssize_t
id_length(const unsigned char *bytes, Py_ssize_t size)
{
    Py_ssize_t run = 0, figures = 0, colons = 0, at;
    int is_hex = 1;

    for (; run < size && (is_figure(bytes[run]) || is_letter_byte(bytes[run])); run++) {
        figures += is_figure(bytes[run]);
        is_hex = is_hex && (is_figure(bytes[run]) || (bytes[run] >= 'a' && bytes[run] <= 'f'));
    }
    if (is_hex && figures && run >= SHORTEST_ID)
        return run;
    if (figures != run || run > 2)
        return 0;
    if (run == 1 && bytes[0] == '0' && size > 1 && bytes[1] == '.') {
        for (at = 2; at < size && is_figure(bytes[at]); at++)
            ;
        return at >= 5 && !(at < size && is_letter_byte(bytes[at])) ? at : 0;
    }
    for (at = run; colons < 2 && at + 2 < size && bytes[at] == ':' && is_figure(bytes[at + 1]) && is_figure(bytes[at + 2]);
         at += 3)
        colons++;
    return colons && !(at < size && (is_figure(bytes[at]) || is_letter_byte(bytes[at]))) ? at : 0;
}

static int
is_date_word(const Pieces *pieces, const unsigned char *bytes, Py_ssize_t size)
{
    uint32_t key = crc_of(0, bytes, size);
    Py_ssize_t first = 0, last = pieces->date_count;

    while (first < last) {
        Py_ssize_t middle = first + (last - first) / 2;
        if (pieces->dates[middle] < key)
            first = middle + 1;
        else
            last = middle;
    }
    return first < pieces->date_count && pieces->dates[first] == key;
}

static int
is_near(const Pieces *pieces, const unsigned char *bytes, Py_ssize_t size)
{
    uint64_t number = 0;

    if (size > LONGEST_NUMBER)
        return 0;
    for (Py_ssize_t at = 0; at < size; at++)
        number = 10 * number + (uint64_t)(bytes[at] - '0');
    for (int at = 0; at < pieces->near_count; at++)
        if (pieces->near[at] == number)
            return 1;
    return 0;
}

static uint64_t
joined(uint32_t form, uint32_t whole, Py_ssize_t size, uint32_t said)
{
    return (((uint64_t)(form >> 8) << 12 | (whole & 0xFFF)) << 10 | (uint64_t)Py_MIN(size, 0x3FF)) << 18 | said << 1;
}

/* The number of a piece that is not empty. */
static uint64_t
number_of_piece(const Pieces *pieces, const unsigned char *bytes, Py_ssize_t size)
{
    uint32_t form = 0, whole = 0, with_dates = 0, without = 0, said;
    int has_letters = 0, is_repeating = 0, has_number = 0;
    Py_ssize_t at = 0, end;

    int has_figures = 0;
    for (Py_ssize_t i = 0; i < size && size <= SHORT_PIECE && !has_figures; i++)
        has_figures = is_figure(bytes[i]);
    if (size > (has_figures ? SHORT_PIECE : LONGEST_DATE)) {
        whole = crc_of(0, bytes, size);
        said = whole >> 12 & 0x1FFFF;
        return joined(whole, whole, size, said ? said : 1);
    }
    while (at < size) {
        if (!is_figure(bytes[at]) && !is_letter_byte(bytes[at])) {
            form = crc_of(form, bytes + at, 1);
            whole = crc_of(whole, bytes + at, 1);
            at++;
            continue;
        }
        end = at + id_length(bytes + at, size - at);
        if (end > at) {
            at = end;
            continue;
        }
        while (at < size && (is_figure(bytes[at]) || is_letter_byte(bytes[at]))) {
            int figures = is_figure(bytes[at]);
            for (end = at; end < size && (figures ? is_figure(bytes[end]) : is_letter_byte(bytes[end])); end++)
                ;
            whole = crc_of(whole, bytes + at, end - at);
            if (figures && is_near(pieces, bytes + at, end - at))
                is_repeating = 1;
            else {
                int is_date = !figures && is_date_word(pieces, bytes + at, end - at);
                with_dates = crc_of(with_dates, bytes + at, end - at);
                if (!is_date)
                    without = crc_of(without, bytes + at, end - at);
                has_number = has_number || (figures && end - at > 2);
                has_letters = has_letters || (!figures && !is_date && has_letter(bytes + at, end - at));
            }
            if (!figures)
                form = crc_of(form, bytes + at, end - at);
            at = end;
        }
    }
    said = (is_repeating ? without : with_dates) & 0x1FFFF;
    if (said == 0)
        said = 1;
    return joined(has_letters ? form : whole, whole, size, has_letters || has_number ? said : 0);
}

static const unsigned char *
found_in(const unsigned char *bytes, Py_ssize_t size, const unsigned char *wanted, Py_ssize_t length)
{
    for (; size >= length; bytes++, size--) {
        const unsigned char *first = memchr(bytes, wanted[0], (size_t)(size - length + 1));
        if (first == NULL)
            return NULL;
        size -= first - bytes;
        bytes = first;
        if (memcmp(bytes, wanted, (size_t)length) == 0)
            return bytes;
    }
    return NULL;
}

/* Take all places of what is quoted out of `bytes`; returns the size that is left. */
static Py_ssize_t
without(unsigned char *bytes, Py_ssize_t size, const unsigned char *quoted, Py_ssize_t length)
{
    Py_ssize_t read = 0, written = 0;

    while (read < size) {
        const unsigned char *place = found_in(bytes + read, size - read, quoted, length);
        Py_ssize_t kept = place == NULL ? size - read : place - (bytes + read);
        memmove(bytes + written, bytes + read, (size_t)kept);
        written += kept;
        read += kept + (place == NULL ? 0 : length);
    }
    return written;
}

static void
strip(unsigned char **bytes, Py_ssize_t *size)
{
    while (*size && (*bytes)[0] == ' ') {
        (*bytes)++;
        (*size)--;
    }
    while (*size && (*bytes)[*size - 1] == ' ')
        (*size)--;
}

/* Add the piece in `said`. Returns -1 in error. */
static int
add_piece(Pieces *pieces, Py_ssize_t size, int link)
{
    unsigned char *bytes = pieces->said;

    strip(&bytes, &size);
    if (size && size < pieces->longest) {
        unsigned char *spare = pieces->spare;
        Py_ssize_t left = size;
        memcpy(spare, bytes, (size_t)size);
        for (int at = 0; at < pieces->quoted_count; at++)
            left = without(spare, left, pieces->quoted[at], pieces->sizes[at]);
        if (left < size) {
            strip(&spare, &left);
            if (left >= pieces->left && has_letter(spare, left)) {
                bytes = spare;
                size = left;
            }
        }
    }
    if (size == 0)
        return 0;
    if (make_room((void **)&pieces->found, &pieces->room, pieces->count + 1, sizeof *pieces->found) < 0)
        return -1;
    pieces->found[pieces->count++] = number_of_piece(pieces, bytes, size) | (uint64_t)link;
    return 0;
}

/* Cut a part of a text into pieces: at each PARAGRAPH, outside of links also after each sentence. */
static int
add_part(Pieces *pieces, PyObject *text, Py_ssize_t start, Py_ssize_t end, int link)
{
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    unsigned char *said = pieces->said;
    Py_ssize_t size = 0;

    for (Py_ssize_t at = start; at < end; at++) {
        Py_UCS4 code = PyUnicode_READ(kind, data, at);
        if (code == 0x2029) {
            if (add_piece(pieces, size, link) < 0)
                return -1;
            size = 0;
            continue;
        }
        if (code < 0x80)
            said[size++] = (unsigned char)code;
        else if (code < 0x800) {
            said[size++] = (unsigned char)(0xC0 | code >> 6);
            said[size++] = (unsigned char)(0x80 | (code & 0x3F));
        }
        else if (code < 0x10000) {
            said[size++] = (unsigned char)(0xE0 | code >> 12);
            said[size++] = (unsigned char)(0x80 | (code >> 6 & 0x3F));
            said[size++] = (unsigned char)(0x80 | (code & 0x3F));
        }
        else {
            said[size++] = (unsigned char)(0xF0 | code >> 18);
            said[size++] = (unsigned char)(0x80 | (code >> 12 & 0x3F));
            said[size++] = (unsigned char)(0x80 | (code >> 6 & 0x3F));
            said[size++] = (unsigned char)(0x80 | (code & 0x3F));
        }
        int ends = code == 0x3002 || code == 0xFF01 || code == 0xFF1F;
        if (code == '.' || code == '!' || code == '?')
            ends = at + 1 < end && PyUnicode_READ(kind, data, at + 1) == ' ';
        if (ends && !link) {
            if (add_piece(pieces, size, link) < 0)
                return -1;
            size = 0;
        }
    }
    return add_piece(pieces, size, link);
}

static int
compare_pieces(const void *one, const void *other)
{
    uint64_t left = *(const uint64_t *)one, right = *(const uint64_t *)other;
    return left < right ? -1 : left > right;
}

/* Read what pieces may repeat of the address. Returns -1 in error. */
static int
read_repeated(Pieces *pieces, PyObject *quoted, PyObject *numbers)
{
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(quoted) && at < MOST_QUOTED; at++) {
        char *bytes;
        Py_ssize_t size;
        if (PyBytes_AsStringAndSize(PyTuple_GET_ITEM(quoted, at), &bytes, &size) < 0)
            return -1;
        if (size == 0)
            continue;
        pieces->quoted[pieces->quoted_count] = (const unsigned char *)bytes;
        pieces->sizes[pieces->quoted_count++] = size;
        pieces->longest = Py_MAX(pieces->longest, SHORT_PIECE + 2 * Py_MIN(size, 1 << 16));
    }
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(numbers) && at < MOST_NEAR; at++) {
        uint64_t number = PyLong_AsUnsignedLongLong(PyTuple_GET_ITEM(numbers, at));
        if (number == (uint64_t)-1 && PyErr_Occurred())
            return -1;
        pieces->near[pieces->near_count++] = number;
    }
    return 0;
}

PyDoc_STRVAR(text_pieces_doc,
"text_pieces(title, text, start, spans, anchor, quoted, numbers, dates, left)\n--\n\n"
"The pieces of a title and of a text from `start` on, ascending, each once (bytes of uint64). `quoted`: what may be left\n"
"out (bytes), if `left` bytes stay. `numbers`: those of the address. `dates`: hashes of names (bytes of uint32).");

static PyObject *
text_pieces(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *title, *text, *spans, *anchor, *quoted, *numbers, *dates, *position, *result = NULL;
    Py_ssize_t last, start, end, length, distinct = 0;
    Pieces pieces = {.longest = 0};
    Py_buffer view;

    if (!PyArg_ParseTuple(args, "UUnO!OO!O!On", &title, &text, &last, &PyTuple_Type, &spans, &anchor, &PyTuple_Type, &quoted,
                          &PyTuple_Type, &numbers, &dates, &pieces.left))
        return NULL;
    if (PyObject_GetBuffer(dates, &view, PyBUF_SIMPLE) < 0)
        return NULL;
    length = PyUnicode_GET_LENGTH(text);
    Py_ssize_t longest = Py_MAX(length, PyUnicode_GET_LENGTH(title));
    if (view.len % (Py_ssize_t)sizeof *pieces.dates || (uintptr_t)view.buf % sizeof *pieces.dates || last < 0 ||
        longest > PY_SSIZE_T_MAX / 8) {
        PyErr_SetString(PyExc_ValueError, "not a table of hashes, or no place in the text");
        goto end;
    }
    pieces.dates = view.buf;
    pieces.date_count = view.len / (Py_ssize_t)sizeof *pieces.dates;
    pieces.said = PyMem_Malloc(4 * (size_t)longest + 1);
    pieces.spare = PyMem_Malloc(4 * (size_t)longest + 1);
    if (pieces.said == NULL || pieces.spare == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    if (read_repeated(&pieces, quoted, numbers) < 0 || add_part(&pieces, title, 0, PyUnicode_GET_LENGTH(title), 0) < 0)
        goto end;
    last = Py_MIN(last, length);
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(spans); at++) {
        if (read_span(PyTuple_GET_ITEM(spans, at), length, &start, &end, &position) < 0)
            goto end;
        if (position != anchor || start < last || end < start)
            continue;
        if (add_part(&pieces, text, last, start, 0) < 0 || add_part(&pieces, text, start, end, 1) < 0)
            goto end;
        last = end;
    }
    if (add_part(&pieces, text, last, length, 0) < 0)
        goto end;
    if (pieces.count)
        qsort(pieces.found, (size_t)pieces.count, sizeof *pieces.found, compare_pieces);
    for (Py_ssize_t at = 0; at < pieces.count; at++)
        if (at == 0 || pieces.found[at] != pieces.found[distinct - 1])
            pieces.found[distinct++] = pieces.found[at];
    result = PyBytes_FromStringAndSize((const char *)pieces.found, distinct * (Py_ssize_t)sizeof *pieces.found);
end:
    PyBuffer_Release(&view);
    PyMem_Free(pieces.said);
    PyMem_Free(pieces.spare);
    PyMem_Free(pieces.found);
    return result;
}
