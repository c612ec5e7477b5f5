/* Which blocks are the page's own: semantic/parsing/own_blocks.py. */

enum feature { DENSITY, SIZE, SIGNS, DENSITY_BEFORE, FREE_BEFORE, DENSITY_AFTER, FREE_AFTER, AFTER_H1, PLACE,
               PATH_SHARE, PATH_COUNT, PATH_DENSITY, PATH_MEAN, OUTER_SHARE, OUTER_COUNT, OUTER_DENSITY, OUTER_MEAN,
               PAGE_DENSITY, PAGE_FREE, IN_HEADER, IN_FOOTER, IN_COMMENT, FEATURES };

/* How many values each has. */
static const int VALUES[FEATURES] = {8, 12, 6, 9, 13, 9, 13, 3, 8, 7, 9, 8, 12, 7, 9, 8, 12, 8, 16, 4, 4, 8};

#define MOST_VALUES 16
#define MARKS 31

typedef struct {
    int bits[MARKS], weights[FEATURES][MOST_VALUES];
    uint32_t header, footer, comment, h1, inside; /* marks */
} BlockWeights;

typedef struct {
    uint32_t marks, path, outer;
} BlockPlace;

typedef struct {
    BlockPlace place;
    Py_ssize_t size, linked, signs;
} Block;

typedef struct {
    Py_ssize_t count, size, free;
} BlockGroup;

/* Add a text to a block. */
static void
add_to_block(Block *block, PyObject *text, uint32_t marks, int in_link)
{
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), size = length;

    for (Py_ssize_t i = 0; i < length; i++) {
        Py_UCS4 code = PyUnicode_READ(kind, data, i);
        switch (code) {
        case '.': case ',': case '!': case '?': case ';': case ':':
        case 0x3001: case 0x3002: case 0xFF01: case 0xFF0C: case 0xFF1A: case 0xFF1B: case 0xFF1F:
            block->signs++;
        }
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
density_of(Py_ssize_t linked, Py_ssize_t size)
{
    return linked >= size && size > 0 ? 7 : linked > 0 ? (int)(1 + linked * 6 / size) : 0;
}

static int
by_number(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

/* Of each block's path, or the path around it, what all blocks with the same have. `order` is room for a number a
 * block. Sorted and not hashed, because a page could choose its paths. */
static void
group_blocks(const Block *blocks, Py_ssize_t count, int outer, uint64_t *order, BlockGroup *groups)
{
    for (Py_ssize_t i = 0; i < count; i++)
        order[i] = (uint64_t)(outer ? blocks[i].place.outer : blocks[i].place.path) << 32 | (uint64_t)i;
    qsort(order, (size_t)count, sizeof *order, by_number);
    for (Py_ssize_t start = 0, end; start < count; start = end) {
        BlockGroup group = {0};
        for (end = start; end < count && order[end] >> 32 == order[start] >> 32; end++) {
            const Block *block = &blocks[order[end] & UINT32_MAX];
            group.count++;
            group.size += block->size;
            group.free += block->size - block->linked;
        }
        for (Py_ssize_t i = start; i < end; i++)
            groups[order[i] & UINT32_MAX] = group;
    }
}

static void
put_group(int *known, const BlockGroup *group, Py_ssize_t free)
{
    known[0] = bits_of(group->free * 64 / (free + 1), 6);
    known[1] = bits_of(group->count, 8);
    known[2] = density_of(group->size - group->free, group->size);
    known[3] = bits_of(group->free / group->count, 11);
}

static void
score_blocks(const BlockWeights *weights, const Block *blocks, Py_ssize_t count, const BlockGroup *paths,
             const BlockGroup *outers, unsigned char *scores)
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
        int known[FEATURES] = {0}, sum = 128 * 64 + 32, inside = block->place.marks & weights->inside ? 2 : 0;
        known[DENSITY] = density_of(block->linked, block->size);
        known[SIZE] = bits_of(block->size, 11);
        known[SIGNS] = bits_of(block->signs, 5);
        if (i > 0) {
            known[DENSITY_BEFORE] = 1 + density_of(block[-1].linked, block[-1].size);
            known[FREE_BEFORE] = 1 + bits_of(block[-1].size - block[-1].linked, 11);
        }
        if (i + 1 < count) {
            known[DENSITY_AFTER] = 1 + density_of(block[1].linked, block[1].size);
            known[FREE_AFTER] = 1 + bits_of(block[1].size - block[1].linked, 11);
        }
        known[AFTER_H1] = h1 == count ? 0 : 1 + (i >= h1);
        known[PLACE] = (int)(before * 8 / (whole + 1));
        put_group(&known[PATH_SHARE], &paths[i], free);
        put_group(&known[OUTER_SHARE], &outers[i], free);
        known[PAGE_DENSITY] = density_of(whole - free, whole);
        known[PAGE_FREE] = bits_of(free, 15);
        known[IN_HEADER] = inside + ((block->place.marks & weights->header) != 0);
        known[IN_FOOTER] = inside + ((block->place.marks & weights->footer) != 0);
        known[IN_COMMENT] = (int)(commented * 4 / (free + 1)) + (block->place.marks & weights->comment ? 0 : 4);
        for (int feature = 0; feature < FEATURES; feature++)
            sum += weights->weights[feature][known[feature]];
        for (int mark = 0; mark < MARKS; mark++)
            sum += block->place.marks >> mark & 1 ? weights->bits[mark] : 0;
        scores[i] = (unsigned char)(sum < 0 ? 0 : sum >> 6 > 255 ? 255 : sum >> 6);
        before += block->size;
    }
}

/* scores(rows), as bytes. */
static PyObject *
scores_of(const BlockWeights *weights, const Block *blocks, Py_ssize_t count)
{
    PyObject *scores = PyBytes_FromStringAndSize(NULL, count);
    uint64_t *order = PyMem_Calloc((size_t)count + 1, sizeof *order);
    BlockGroup *paths = PyMem_Calloc((size_t)count + 1, sizeof *paths);
    BlockGroup *outers = PyMem_Calloc((size_t)count + 1, sizeof *outers);

    if (scores != NULL && (order == NULL || paths == NULL || outers == NULL || (uint64_t)count > UINT32_MAX)) {
        Py_CLEAR(scores);
        PyErr_NoMemory();
    }
    if (scores != NULL) {
        group_blocks(blocks, count, 0, order, paths);
        group_blocks(blocks, count, 1, order, outers);
        score_blocks(weights, blocks, count, paths, outers, (unsigned char *)PyBytes_AS_STRING(scores));
    }
    PyMem_Free(order);
    PyMem_Free(paths);
    PyMem_Free(outers);
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
        if (read_weights(PyTuple_GET_ITEM(tables, feature), weights->weights[feature], VALUES[feature]) < 0)
            return -1;
    return 0;
}
