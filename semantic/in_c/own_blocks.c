/* Which blocks are the page's own: semantic/parsing/own_blocks.py. */

enum feature { LINKS, SIZE, FREE_BEFORE, FREE_AFTER, AFTER_H1, PLACE, GROUP_SHARE, GROUP_COUNT, PAGE_FREE, IN_HEADER,
               IN_FOOTER, IN_COMMENT, FEATURES };

/* How many values each has. */
static const int VALUES[FEATURES] = {8, 12, 13, 13, 3, 8, 7, 9, 16, 4, 4, 8};

#define MOST_VALUES 16
#define MARKS 27

typedef struct {
    int bits[MARKS], tables[FEATURES][MOST_VALUES];
    uint32_t header, footer, comment, h1, inside; /* marks */
} BlockWeights;

typedef struct {
    uint32_t marks, path, outer;
} BlockPlace;

typedef struct {
    BlockPlace place;
    Py_ssize_t size, linked;
} Block;

typedef struct {
    Py_ssize_t count, free;
} BlockGroup;

/* Add a text to a block. */
static void
add_to_block(Block *block, PyObject *text, uint32_t marks, int in_link)
{
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), size = length;
    int is_ascii = PyUnicode_IS_ASCII(text);

    for (Py_ssize_t i = 0; i < length && !is_ascii; i++) {
        Py_UCS4 code = PyUnicode_READ(kind, data, i);
        size += (code >= 0x80) + (code >= 0x800) + (code >= 0x10000);
    }
    block->place.marks &= marks;
    block->size += size;
    block->linked += in_link ? size : 0;
}

static int
bits_of(Py_ssize_t number, int most)
{
    int bits = 0;
    for (; number > 0 && bits < most; number >>= 1)
        bits++;
    return bits;
}

static int
by_number(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

/* Of each block, what all blocks with the same path around them have. `order` is room for a number a block. Sorted and
 * not hashed, because a page could choose its paths. */
static void
group_blocks(const Block *blocks, Py_ssize_t count, uint64_t *order, BlockGroup *groups)
{
    for (Py_ssize_t i = 0; i < count; i++)
        order[i] = (uint64_t)blocks[i].place.outer << 32 | (uint64_t)i;
    qsort(order, (size_t)count, sizeof *order, by_number);
    for (Py_ssize_t start = 0, end; start < count; start = end) {
        BlockGroup group = {0};
        for (end = start; end < count && order[end] >> 32 == order[start] >> 32; end++) {
            const Block *block = &blocks[order[end] & UINT32_MAX];
            group.count++;
            group.free += block->size - block->linked;
        }
        for (Py_ssize_t i = start; i < end; i++)
            groups[order[i] & UINT32_MAX] = group;
    }
}

static void
score_blocks(const BlockWeights *weights, const Block *blocks, Py_ssize_t count, const BlockGroup *groups,
             unsigned char *scores)
{
    Py_ssize_t whole = 0, free = 0, commented = 0, before = 0, h1 = count;

    for (Py_ssize_t i = count - 1; i >= 0; i--) {
        const Block *block = &blocks[i];
        whole += block->size;
        free += block->size - block->linked;
        if (block->place.marks & weights->comment)
            commented += block->size - block->linked;
        if (block->place.marks & weights->h1)
            h1 = i;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        const Block *block = &blocks[i];
        Py_ssize_t size = block->size, linked = block->linked;
        uint32_t marks = block->place.marks;
        int known[FEATURES] = {0}, sum = 128 * 64 + 32, inside = marks & weights->inside ? 2 : 0;
        known[LINKS] = linked >= size && size > 0 ? 7 : linked > 0 ? (int)(1 + linked * 6 / size) : 0;
        known[SIZE] = bits_of(size, 11);
        known[FREE_BEFORE] = i > 0 ? 1 + bits_of(block[-1].size - block[-1].linked, 11) : 0;
        known[FREE_AFTER] = i + 1 < count ? 1 + bits_of(block[1].size - block[1].linked, 11) : 0;
        known[AFTER_H1] = h1 == count ? 0 : 1 + (i >= h1);
        known[PLACE] = (int)(before * 8 / (whole + 1));
        known[GROUP_SHARE] = bits_of(groups[i].free * 64 / (free + 1), 6);
        known[GROUP_COUNT] = bits_of(groups[i].count, 8);
        known[PAGE_FREE] = bits_of(free, 15);
        known[IN_HEADER] = inside + ((marks & weights->header) != 0);
        known[IN_FOOTER] = inside + ((marks & weights->footer) != 0);
        known[IN_COMMENT] = (int)(commented * 4 / (free + 1)) + (marks & weights->comment ? 0 : 4);
        for (int feature = 0; feature < FEATURES; feature++)
            sum += weights->tables[feature][known[feature]];
        for (int mark = 0; mark < MARKS; mark++)
            sum += marks >> mark & 1 ? weights->bits[mark] : 0;
        scores[i] = (unsigned char)(sum < 0 ? 0 : sum >> 6 > 255 ? 255 : sum >> 6);
        before += size;
    }
}

/* scores(rows), as bytes. */
static PyObject *
scores_of(const BlockWeights *weights, const Block *blocks, Py_ssize_t count)
{
    PyObject *scores = PyBytes_FromStringAndSize(NULL, count);
    uint64_t *order = PyMem_Calloc((size_t)count + 1, sizeof *order);
    BlockGroup *groups = PyMem_Calloc((size_t)count + 1, sizeof *groups);

    if (scores != NULL && (order == NULL || groups == NULL || (uint64_t)count > UINT32_MAX)) {
        Py_CLEAR(scores);
        PyErr_NoMemory();
    }
    if (scores != NULL) {
        group_blocks(blocks, count, order, groups);
        score_blocks(weights, blocks, count, groups, (unsigned char *)PyBytes_AS_STRING(scores));
    }
    PyMem_Free(order);
    PyMem_Free(groups);
    return scores;
}

/* The weights of a tuple, of which there must be so many. */
static int
read_weights(PyObject *given, int *weights, Py_ssize_t count)
{
    if (!PyTuple_Check(given) || PyTuple_GET_SIZE(given) != count) {
        PyErr_SetString(PyExc_ValueError, "not as many weights as values");
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        long weight = PyLong_AsLong(PyTuple_GET_ITEM(given, i));
        if (PyErr_Occurred())
            return -1;
        if (weight < -100000 || weight > 100000) { /* so no sum is too large */
            PyErr_SetString(PyExc_ValueError, "too large a weight");
            return -1;
        }
        weights[i] = (int)weight;
    }
    return 0;
}

static int
read_block_weights(BlockWeights *weights, PyObject *bits, PyObject *tables)
{
    if (read_weights(bits, weights->bits, MARKS) < 0)
        return -1;
    if (!PyTuple_Check(tables) || PyTuple_GET_SIZE(tables) != FEATURES) {
        PyErr_SetString(PyExc_ValueError, "not as many tables as features");
        return -1;
    }
    for (int feature = 0; feature < FEATURES; feature++)
        if (read_weights(PyTuple_GET_ITEM(tables, feature), weights->tables[feature], VALUES[feature]) < 0)
            return -1;
    return 0;
}
