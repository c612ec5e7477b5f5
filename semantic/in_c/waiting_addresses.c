/* Hashed words of waiting addresses: semantic/strategies/fused/waiting_addresses.py. */

#define TOGETHER 4 /* hashed words in a group, and one byte of their upper parts */
#define MOST_GROUPS 16

typedef struct {
    Py_buffer mask, start, low, high, rows;
    Py_ssize_t row_count, group_count, asked; /* rows and groups of the table; rows asked for */
} GroupTable;

static void
release_groups(GroupTable *table)
{
    PyBuffer_Release(&table->mask);
    PyBuffer_Release(&table->start);
    PyBuffer_Release(&table->low);
    PyBuffer_Release(&table->high);
    PyBuffer_Release(&table->rows);
}

/* Check the columns against each other, and that all rows are there; 0 if so, else the table is released. */
static int
check_groups(GroupTable *table, int groups)
{
    table->row_count = table->mask.len / 2;
    table->group_count = table->high.len;
    table->asked = table->rows.len / 4;
    if (groups < 1 || groups > MOST_GROUPS || table->start.len != 4 * table->row_count
        || table->low.len / (2 * TOGETHER) != table->group_count || (uintptr_t)table->mask.buf % 2
        || (uintptr_t)table->start.buf % 4 || (uintptr_t)table->low.buf % 2 || (uintptr_t)table->rows.buf % 4) {
        PyErr_SetString(PyExc_ValueError, "not a table of hashed words");
        release_groups(table);
        return -1;
    }
    for (Py_ssize_t i = 0; i < table->asked; i++) {
        int32_t row = ((const int32_t *)table->rows.buf)[i];
        if (row < 0 || row >= table->row_count) {
            PyErr_SetString(PyExc_IndexError, "no such row");
            release_groups(table);
            return -1;
        }
    }
    return 0;
}

PyDoc_STRVAR(read_groups_doc,
"read_groups(mask, start, low, high, rows, groups)\n--\n\n"
"The hashed words of rows (bytes of int32), `groups` times 4 of each.");

static PyObject *
read_groups(PyObject *Py_UNUSED(module), PyObject *args)
{
    GroupTable table;
    int groups;
    PyObject *result;
    uint32_t *found;

    if (!PyArg_ParseTuple(args, "y*y*y*y*y*i", &table.mask, &table.start, &table.low, &table.high, &table.rows, &groups)
        || check_groups(&table, groups) < 0)
        return NULL;
    result = PyByteArray_FromStringAndSize(NULL, table.asked * groups * TOGETHER * (Py_ssize_t)sizeof *found);
    found = result == NULL ? NULL : (uint32_t *)PyByteArray_AS_STRING(result);
    for (Py_ssize_t i = 0; result != NULL && i < table.asked; i++) {
        int32_t row = ((const int32_t *)table.rows.buf)[i];
        uint16_t mask = ((const uint16_t *)table.mask.buf)[row];
        Py_ssize_t at = (Py_ssize_t)((const uint32_t *)table.start.buf)[row];
        for (int group = 0; group < groups; group++, found += TOGETHER) {
            const uint16_t *low;
            uint32_t high;
            if (!(mask >> group & 1)) {
                memset(found, 0, TOGETHER * sizeof *found);
                continue;
            }
            if (at >= table.group_count) {
                PyErr_SetString(PyExc_IndexError, "no such group");
                Py_CLEAR(result);
                break;
            }
            low = (const uint16_t *)table.low.buf + TOGETHER * at;
            high = ((const uint8_t *)table.high.buf)[at++];
            for (int j = 0; j < TOGETHER; j++)
                found[j] = low[j] | (high >> (2 * j) & 3) << 16;
        }
        if (result == NULL)
            break;
    }
    release_groups(&table);
    return result;
}

/* Which of a row's groups have a word. */
static uint16_t
mask_of(const uint32_t *words, int groups)
{
    uint16_t mask = 0;

    for (int group = 0; group < groups; group++, words += TOGETHER)
        if (words[0] | words[1] | words[2] | words[3])
            mask |= (uint16_t)(1u << group);
    return mask;
}

static Py_ssize_t
bits_in(uint16_t mask)
{
    Py_ssize_t bits = 0;

    for (; mask; mask &= (uint16_t)(mask - 1))
        bits++;
    return bits;
}

PyDoc_STRVAR(write_groups_doc,
"write_groups(mask, start, low, high, rows, numbers, groups, used)\n--\n\n"
"Set the hashed words of distinct rows. New places are taken from `used` on. Returns how many are used then, and how\n"
"many groups no row refers to any more.");

static PyObject *
write_groups(PyObject *Py_UNUSED(module), PyObject *args)
{
    GroupTable table;
    Py_buffer numbers;
    int groups;
    Py_ssize_t used, left = 0;
    const uint32_t *words;

    if (!PyArg_ParseTuple(args, "w*w*w*w*y*y*in", &table.mask, &table.start, &table.low, &table.high, &table.rows,
                          &numbers, &groups, &used))
        return NULL;
    if (check_groups(&table, groups) < 0) {
        PyBuffer_Release(&numbers);
        return NULL;
    }
    words = numbers.buf;
    if (numbers.len / groups / TOGETHER / 4 != table.asked || numbers.len % 4 || (uintptr_t)words % 4 || used < 0)
        PyErr_SetString(PyExc_ValueError, "not as many words as the rows have room for");
    for (Py_ssize_t i = 0; i < table.asked && !PyErr_Occurred(); i++, words += TOGETHER * groups) {
        int32_t row = ((const int32_t *)table.rows.buf)[i];
        uint16_t *before = (uint16_t *)table.mask.buf + row, mask = mask_of(words, groups);
        uint32_t *start = (uint32_t *)table.start.buf + row;
        Py_ssize_t size = bits_in(mask), at = mask == *before ? (Py_ssize_t)*start : used;
        if (at > table.group_count - size || at > (Py_ssize_t)UINT32_MAX) {
            PyErr_SetString(PyExc_IndexError, "no room for these groups");
            break;
        }
        if (mask != *before) {
            left += bits_in(*before);
            *before = mask;
            *start = (uint32_t)used;
            used += size;
        }
        for (int group = 0; group < groups; group++) {
            const uint32_t *word = words + TOGETHER * group;
            unsigned high = 0;
            if (!(mask >> group & 1))
                continue;
            for (int j = 0; j < TOGETHER; j++) {
                ((uint16_t *)table.low.buf)[TOGETHER * at + j] = (uint16_t)(word[j] & 0xFFFF);
                high |= (word[j] >> 16 & 3) << (2 * j);
            }
            ((uint8_t *)table.high.buf)[at++] = (uint8_t)high;
        }
    }
    PyBuffer_Release(&numbers);
    release_groups(&table);
    return PyErr_Occurred() ? NULL : Py_BuildValue("nn", used, left);
}
