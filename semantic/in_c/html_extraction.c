/* HTML: semantic/parsing/html_extraction.py. */

/* What a start tag does, as html_extraction numbers it. */
enum action { OPEN, BLOCK, BREAK, SKIP, RANKED, UNREAD, HTML, LINK, POINT, IMAGE, BASE_ADDRESS, RELATED, META,
              INNER_FRAME, OBJECT, UNSEEN, NOTED, ACTIONS };

enum hiding { NOTE = -3, GONE, INVISIBLE, VISIBLE = 1 }; /* as hidden_elements; a position below all others is hidden */

#define MOST_TAGS 128
#define MOST_POSITIONS 16

typedef struct {
    uint64_t low, high;
} TagSet;

typedef struct {
    int action, position, is_block, is_place, is_named; /* see own_blocks.inner */
    uint32_t marks;
    TagSet ended, limits; /* which open elements it ends, and which keep it from that */
} Tag;

/* How an attribute of a token is read: by the function behind it, where it is one of C, else by its name. */
typedef struct {
    PyObject *name, *descriptor;
    PyTypeObject *type;
    getter get;
    void *closure;
} Attribute;

typedef struct {
    PyObject *names; /* name -> its place in `tags` */
    Attribute type_of, tag_of, data_of, closing_of;
    PyObject *attr; /* the method of a token that gives an attribute of its tag */
    PyObject *text, *start_tag, *end_tag; /* kinds of tokens */
    PyObject *positions[MOST_POSITIONS];
    PyObject *span_type;
    PyObject *rel_of, *related_of, *meta_of, *address_of, *links_within, *hides; /* for what is rare, Python is asked */
    PyObject *paragraph, *no_rels;
    int positions_count, anchor, title, other;
    int a, svg, noscript, title_tag;
    Py_ssize_t most_links, path_length, reach, name_length, deep;
    TagSet cells, tables, blocks;
    PyObject *roles, *said_by;
    BlockWeights weights;
    Tag tags[MOST_TAGS];
} Tables;

typedef struct {
    PyObject *tag, *name, *token; /* name: in a DOM path; until it is known, the token tells it */
    int id, position;
    BlockPlace place;
} Element;

typedef struct {
    PyObject *href, *title, *rel, *path, *alts; /* alts: a list, or NULL */
    Py_ssize_t node, start, end;
} FoundLink;

typedef struct {
    const Tables *tables;
    Element *stack;
    Py_ssize_t depth, stack_room;
    FoundLink *links;
    Py_ssize_t links_count, links_room;
    Py_ssize_t *nodes;
    Py_ssize_t nodes_count, nodes_room;
    Block *blocks;
    Py_ssize_t blocks_count, blocks_room;
    PyObject *parts, *spans;
    PyObject *title, *language, *base, *canonical, *feed, *robots;
    Py_ssize_t length, fewest, link, link_depth, unread_depth, hidden;
    int position, blank, new_block, unread, naming, hiding;
    PyObject *notes; /* ruby texts that come after their base: a list, or NULL */
    Py_ssize_t noted_depth;
    char *folded; /* a text with its blanks folded */
    Py_ssize_t folded_room;
} Reader;

static PyObject *name_type, *name_tag, *name_data, *name_attr, *name_self_closing; /* attributes of tokens */
static PyObject *key_hidden, *key_style, *key_open;
static PyObject *key_id, *key_class, *key_role, *key_title, *key_rel, *key_href, *key_alt, *key_lang, *key_xml_lang;
static PyObject *empty, *one_blank, *slash;

static void
find_attribute(Attribute *attribute, PyObject *type, PyObject *name)
{
    PyObject *descriptor = PyObject_GetAttr(type, name);
    attribute->name = name;
    if (descriptor == NULL) {
        PyErr_Clear(); /* then it is asked by its name */
        return;
    }
    if (Py_IS_TYPE(descriptor, &PyGetSetDescr_Type) && PyDescr_TYPE(descriptor) == (PyTypeObject *)type) {
        attribute->type = (PyTypeObject *)type;
        attribute->get = ((PyGetSetDescrObject *)descriptor)->d_getset->get;
        attribute->closure = ((PyGetSetDescrObject *)descriptor)->d_getset->closure;
    }
    attribute->descriptor = descriptor; /* keeps the type */
}

static inline PyObject *
read_attribute(const Attribute *attribute, PyObject *token)
{
    if (attribute->get != NULL && Py_IS_TYPE(token, attribute->type))
        return attribute->get(token, attribute->closure);
    return PyObject_GetAttr(token, attribute->name);
}

static inline int
is_in(const TagSet *set, int id)
{
    if (id < 0)
        return 0;
    return (int)((id < 64 ? set->low >> id : set->high >> (id - 64)) & 1);
}

static inline void
put_in(TagSet *set, int id)
{
    if (id < 64)
        set->low |= UINT64_C(1) << id;
    else
        set->high |= UINT64_C(1) << (id - 64);
}

/* The place of a tag in the table: -1 for one that is not there, -2 for an error. */
static int
id_of(const Tables *tables, PyObject *name)
{
    PyObject *place = PyDict_GetItemWithError(tables->names, name);
    if (place == NULL)
        return PyErr_Occurred() ? -2 : -1;
    return (int)PyLong_AsLong(place);
}

/* An attribute of a tag, a new reference: None where it has none. */
static PyObject *
attribute(const Tables *tables, PyObject *token, PyObject *name)
{
    PyObject *value = PyObject_Vectorcall(tables->attr, (PyObject *[]){token, name}, 2, NULL);
    if (value != NULL && value != Py_None && !PyUnicode_Check(value)) {
        Py_DECREF(value);
        PyErr_SetString(PyExc_TypeError, "an attribute is no str");
        return NULL;
    }
    return value;
}

/* The same, "" where it has none. */
static PyObject *
attribute_text(const Tables *tables, PyObject *token, PyObject *name)
{
    PyObject *value = attribute(tables, token, name);
    if (value == Py_None) {
        Py_DECREF(value);
        return Py_NewRef(empty);
    }
    return value;
}

/* text.strip() */
static PyObject *
stripped(PyObject *text)
{
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t start = 0, end = PyUnicode_GET_LENGTH(text);
    while (start < end && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, start)))
        start++;
    while (end > start && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, end - 1)))
        end--;
    return PyUnicode_Substring(text, start, end);
}

/* ---- blanks: semantic/parsing/wrapped_lines.py ---- */

static int
is_unspaced(Py_UCS4 code)
{
    static const Py_UCS4 ranges[][2] = {
        {0x200B, 0x200B}, {0x2060, 0x2060}, {0x2E80, 0x2FFF}, {0x3001, 0x312F}, {0x3190, 0xA4CF}, {0xF900, 0xFAFF},
        {0xFE00, 0xFE0F}, {0xFE30, 0xFE4F}, {0xFEFF, 0xFEFF}, {0xFF01, 0xFF20}, {0xFF3B, 0xFF40}, {0xFF5B, 0xFF9F},
        {0x20000, 0x3FFFF}, {0xE0100, 0xE01EF},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges && code >= ranges[i][0]; i++)
        if (code <= ranges[i][1])
            return 1;
    return 0;
}

/* Whether the blanks from `start` to `end` are one line break inside a word. */
static int
is_inside_word(int kind, const void *data, Py_ssize_t start, Py_ssize_t end, Py_ssize_t length)
{
    int breaks = 0;
    if (start == 0 || end == length || !is_unspaced(PyUnicode_READ(kind, data, start - 1))
        || !is_unspaced(PyUnicode_READ(kind, data, end)))
        return 0;
    for (Py_ssize_t at = start; at < end; at++) {
        Py_UCS4 code = PyUnicode_READ(kind, data, at);
        if (code == '\r' || code == '\n')
            breaks += code == '\r' || at == start || PyUnicode_READ(kind, data, at - 1) != '\r';
        else if (code != BLANK && code != '\t' && code != '\f')
            return 0;
    }
    return breaks == 1;
}

/* Whether a text with folded blanks is single Han characters with blanks between. */
static int
is_spaced_out(int kind, const void *data, Py_ssize_t length)
{
    if (length < 3 || length % 2 == 0)
        return 0;
    for (Py_ssize_t at = 0; at < length; at++) {
        Py_UCS4 code = PyUnicode_READ(kind, data, at);
        if (at % 2 ? code != BLANK : code < 0x3400 || code > 0x9FFF)
            return 0;
    }
    return 1;
}

/* folded_blanks(text). `buffer` may be used for it. */
static PyObject *
with_folded_blanks(PyObject *text, char **buffer, Py_ssize_t *room)
{
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), written = 0, at = 0, start = -1; /* of the blanks that are read */

    for (; at < length; at++) { /* most texts are as they should be */
        Py_UCS4 code = PyUnicode_READ(kind, data, at);
        if (Py_UNICODE_ISSPACE(code)
            && (code != BLANK || at == 0 || at + 1 == length
                || Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, at + 1))))
            break;
    }
    if (at == length && !is_spaced_out(kind, data, length))
        return Py_NewRef(text);
    if (length > PY_SSIZE_T_MAX / 8)
        return PyErr_NoMemory();
    if (make_room((void **)buffer, room, length * kind, 1) < 0)
        return NULL;
    for (at = 0; at < length; at++) { /* never more than it was: a blank is written for one that was read */
        Py_UCS4 code = PyUnicode_READ(kind, data, at);
        if (Py_UNICODE_ISSPACE(code)) {
            if (start < 0)
                start = at;
            continue;
        }
        if (start >= 0 && written > 0 && !is_inside_word(kind, data, start, at, length)) {
            PyUnicode_WRITE(kind, *buffer, written, BLANK);
            written++;
        }
        start = -1;
        PyUnicode_WRITE(kind, *buffer, written, code);
        written++;
    }
    if (is_spaced_out(kind, *buffer, written)) {
        for (at = 0; 2 * at < written; at++) {
            Py_UCS4 code = PyUnicode_READ(kind, *buffer, 2 * at);
            PyUnicode_WRITE(kind, *buffer, at, code);
        }
        written = at;
    }
    return PyUnicode_FromKindAndData(kind, *buffer, written);
}

/* ---- what is open ---- */

static void
drop_element(Element *element)
{
    Py_CLEAR(element->tag);
    Py_CLEAR(element->name);
    Py_CLEAR(element->token);
}

static void
end_link(Reader *reader)
{
    if (reader->link >= 0) {
        FoundLink *link = &reader->links[reader->link];
        link->end = reader->length;
        if (link->start < 0)
            link->start = reader->length;
    }
    reader->link = -1;
    reader->link_depth = 0;
}

/* Close all elements from `depth` on. */
static void
cut(Reader *reader, Py_ssize_t depth)
{
    if (depth < reader->depth) {
        reader->position = reader->stack[depth].position;
        while (reader->depth > depth)
            drop_element(&reader->stack[--reader->depth]);
    }
    if (depth < reader->fewest)
        reader->fewest = depth;
    if (depth < reader->link_depth)
        end_link(reader);
}

/* Close the innermost element within reach that is in `ended`, unless one of `limits` is further in. */
static void
end_within(Reader *reader, const TagSet *ended, const TagSet *limits)
{
    Py_ssize_t last = reader->depth > reader->tables->reach ? reader->depth - reader->tables->reach : 0;
    for (Py_ssize_t depth = reader->depth - 1; depth >= last; depth--) {
        int id = reader->stack[depth].id;
        if (is_in(ended, id)) {
            cut(reader, depth);
            return;
        }
        if (is_in(limits, id))
            return;
    }
}

/* The same for an element of this very tag; -1 for an error. */
static int
end_named(Reader *reader, PyObject *tag, int id, const TagSet *limits)
{
    Py_ssize_t last = reader->depth > reader->tables->reach ? reader->depth - reader->tables->reach : 0;
    for (Py_ssize_t depth = reader->depth - 1; depth >= last; depth--) {
        Element *element = &reader->stack[depth];
        if (element->id == id && (id >= 0 || PyUnicode_Compare(element->tag, tag) == 0)) {
            cut(reader, depth);
            return 0;
        }
        if (PyErr_Occurred())
            return -1;
        if (is_in(limits, element->id))
            return 0;
    }
    return 0;
}

/* What the open elements say of the text in them. */
static BlockPlace
here(const Reader *reader)
{
    return reader->depth ? reader->stack[reader->depth - 1].place : (BlockPlace){0, 0, 0};
}

/* Take a Python function's or a dict's number as marks. */
static int
add_marks(uint32_t *marks, PyObject *number)
{
    unsigned long said = PyLong_AsUnsignedLong(number);
    if (PyErr_Occurred())
        return -1;
    *marks |= (uint32_t)said;
    return 0;
}

/* own_blocks.inner: what an element says of the text in it, beside what those around it say. */
static int
enter(const Tables *tables, BlockPlace *place, const Tag *row, PyObject *token)
{
    uint32_t own = row->marks;
    Py_ssize_t length = 0;

    if (row->is_named) {
        PyObject *role, *name, *found;
        int failed;
        if ((role = attribute(tables, token, key_role)) == NULL)
            return -1;
        found = role == Py_None ? NULL : PyDict_GetItemWithError(tables->roles, role);
        failed = found == NULL ? -(PyErr_Occurred() != NULL) : add_marks(&own, found);
        Py_DECREF(role);
        if (failed)
            return -1;
        name = attribute_text(tables, token, key_class);
        if (name != NULL && PyUnicode_GET_LENGTH(name) == 0)
            Py_SETREF(name, attribute_text(tables, token, key_id));
        if (name == NULL)
            return -1;
        length = PyUnicode_GET_LENGTH(name);
        if (length) {
            PyObject *said = PyObject_CallOneArg(tables->said_by, name);
            failed = said == NULL ? -1 : add_marks(&own, said);
            Py_XDECREF(said);
        }
        Py_DECREF(name);
        if (failed)
            return -1;
    }
    place->outer = place->path;
    place->path = (uint32_t)((place->path ^ own) * UINT32_C(0x9E3779B1) + (uint64_t)length);
    place->marks |= own;
    return 0;
}

static int
open_element(Reader *reader, PyObject *tag, int id, PyObject *token)
{
    Element *element;
    PyObject *name = NULL;
    BlockPlace place = here(reader);

    if (id >= 0 && reader->tables->tags[id].is_place
        && enter(reader->tables, &place, &reader->tables->tags[id], token) < 0)
        return -1;
    if (make_room((void **)&reader->stack, &reader->stack_room, reader->depth + 1, sizeof *reader->stack) < 0)
        return -1;
    if (reader->depth >= reader->tables->deep) {
        name = PyUnicode_Substring(tag, 0, reader->tables->name_length);
        if (name == NULL)
            return -1;
        token = NULL;
    }
    element = &reader->stack[reader->depth++];
    element->tag = Py_NewRef(tag);
    element->name = name;
    element->token = Py_XNewRef(token);
    element->id = id;
    element->position = reader->position;
    element->place = place;
    return 0;
}

/* Hide the element just opened if its attributes say so. */
static int
hide(Reader *reader, PyObject *token)
{
    PyObject *hidden, *style, *answer;
    long said;

    if (!reader->hiding)
        return 0;
    hidden = attribute(reader->tables, token, key_hidden);
    style = hidden == NULL ? NULL : attribute(reader->tables, token, key_style);
    if (style == NULL || (hidden == Py_None && style == Py_None)) {
        Py_XDECREF(hidden);
        Py_XDECREF(style);
        return style == NULL ? -1 : 0;
    }
    answer = PyObject_CallFunctionObjArgs(reader->tables->hides, hidden, style, NULL);
    Py_DECREF(hidden);
    Py_DECREF(style);
    if (answer == NULL)
        return -1;
    said = PyLong_AsLong(answer);
    Py_DECREF(answer);
    if (PyErr_Occurred())
        return -1;
    if (said == GONE || said == INVISIBLE)
        reader->position = Py_MIN(reader->position, (int)said);
    else if (said == VISIBLE && reader->position == INVISIBLE)
        reader->position = reader->link < 0 ? reader->tables->other : reader->tables->anchor;
    return 0;
}

static int
start_block(Reader *reader, PyObject *tag, int id, PyObject *token)
{
    const Tag *row = &reader->tables->tags[id];
    reader->new_block = 1;
    if (reader->depth && !is_in(&row->limits, reader->stack[reader->depth - 1].id))
        end_within(reader, &row->ended, &row->limits);
    return open_element(reader, tag, id, token);
}

/* ---- links ---- */

/* A text, a sign and another text. */
static PyObject *
with_mark(PyObject *before, char mark, PyObject *after)
{
    Py_ssize_t at = PyUnicode_GET_LENGTH(before), length = PyUnicode_GET_LENGTH(after);
    Py_UCS4 most = Py_MAX(PyUnicode_MAX_CHAR_VALUE(before), PyUnicode_MAX_CHAR_VALUE(after));
    PyObject *both = PyUnicode_New(at + 1 + length, most);

    if (both == NULL)
        return NULL;
    if (PyUnicode_CopyCharacters(both, 0, before, 0, at) < 0 || PyUnicode_WriteChar(both, at, (Py_UCS4)mark) < 0
        || PyUnicode_CopyCharacters(both, at + 1, after, 0, length) < 0)
        Py_CLEAR(both);
    return both;
}

/* The name of an element in a DOM path: `div#main`, else `div.box`, else `div`. */
static PyObject *
path_name(const Tables *tables, PyObject *tag, PyObject *token)
{
    PyObject *name, *value, *short_tag = PyUnicode_Substring(tag, 0, tables->name_length);
    Py_ssize_t start = 0, end, length;
    char mark = '#';

    if (short_tag == NULL)
        return NULL;
    value = attribute_text(tables, token, key_id);
    if (value != NULL && PyUnicode_GET_LENGTH(value) == 0) {
        Py_DECREF(value);
        mark = '.';
        value = attribute_text(tables, token, key_class);
    }
    if (value == NULL) {
        Py_DECREF(short_tag);
        return NULL;
    }
    length = PyUnicode_GET_LENGTH(value);
    if (mark == '.') { /* the first of its classes */
        int kind = PyUnicode_KIND(value);
        const void *data = PyUnicode_DATA(value);
        while (start < length && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, start)))
            start++;
        for (end = start; end < length && !Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, end)); end++)
            ;
        length = end;
    }
    end = length - start > tables->name_length ? start + tables->name_length : length;
    if (start == end) {
        Py_DECREF(value);
        return short_tag;
    }
    PyObject *part = PyUnicode_Substring(value, start, end);
    name = part == NULL ? NULL : with_mark(short_tag, mark, part);
    Py_XDECREF(part);
    Py_DECREF(value);
    Py_DECREF(short_tag);
    return name;
}

/* The DOM path of the innermost element. */
static PyObject *
path_of(Reader *reader)
{
    const Tables *tables = reader->tables;
    Py_ssize_t first = reader->depth > tables->path_length ? reader->depth - tables->path_length : 0;
    PyObject *path, *names = PyList_New(reader->depth - first);

    if (names == NULL)
        return NULL;
    for (Py_ssize_t depth = first; depth < reader->depth; depth++) {
        Element *element = &reader->stack[depth];
        if (element->name == NULL) {
            element->name = path_name(tables, element->tag, element->token);
            if (element->name == NULL) {
                Py_DECREF(names);
                return NULL;
            }
            Py_CLEAR(element->token);
        }
        PyList_SET_ITEM(names, depth - first, Py_NewRef(element->name));
    }
    path = PyUnicode_Join(slash, names);
    Py_DECREF(names);
    return path;
}

static int
add_node(Reader *reader, Py_ssize_t where)
{
    if (make_room((void **)&reader->nodes, &reader->nodes_room, reader->nodes_count + 3, sizeof *reader->nodes) < 0)
        return -1;
    reader->nodes[reader->nodes_count++] = where;
    reader->nodes[reader->nodes_count++] = reader->depth;
    reader->nodes[reader->nodes_count++] = reader->fewest;
    reader->fewest = reader->depth;
    return 0;
}

static void
drop_link(FoundLink *link)
{
    Py_CLEAR(link->href);
    Py_CLEAR(link->title);
    Py_CLEAR(link->rel);
    Py_CLEAR(link->path);
    Py_CLEAR(link->alts);
}

/* Make a link of the innermost element if it leads to another page: 1 if so, -1 for an error. Takes `href` over. */
static int
new_link(Reader *reader, PyObject *href, PyObject *token)
{
    const Tables *tables = reader->tables;
    FoundLink link = {0};
    PyObject *value;

    if (href == NULL)
        return -1;
    link.href = stripped(href);
    Py_DECREF(href);
    if (link.href == NULL)
        return -1;
    if (PyUnicode_GET_LENGTH(link.href) == 0 || PyUnicode_READ_CHAR(link.href, 0) == '#'
        || reader->links_count >= tables->most_links) {
        drop_link(&link);
        return 0;
    }
    value = attribute_text(tables, token, key_title);
    if (value == NULL)
        goto fail;
    link.title = with_folded_blanks(value, &reader->folded, &reader->folded_room);
    Py_DECREF(value);
    if (link.title == NULL)
        goto fail;
    value = attribute_text(tables, token, key_rel);
    if (value == NULL)
        goto fail;
    link.rel = PyUnicode_GET_LENGTH(value) ? PyObject_CallOneArg(tables->rel_of, value) : Py_NewRef(tables->no_rels);
    Py_DECREF(value);
    if (link.rel == NULL)
        goto fail;
    link.path = path_of(reader);
    if (link.path == NULL)
        goto fail;
    link.node = reader->nodes_count / 3;
    link.start = link.end = -1;
    if (make_room((void **)&reader->links, &reader->links_room, reader->links_count + 1, sizeof link) < 0
        || add_node(reader, ~reader->length) < 0)
        goto fail;
    reader->links[reader->links_count++] = link;
    return 1;
fail:
    drop_link(&link);
    return -1;
}

static int
start_link(Reader *reader, PyObject *tag, int id, PyObject *token)
{
    const Tables *tables = reader->tables;
    TagSet links = {0, 0};
    int made;

    put_in(&links, tables->a);
    if (reader->link >= 0)
        end_within(reader, &links, &tables->cells);
    else if (reader->depth && !is_in(&tables->blocks, reader->stack[reader->depth - 1].id))
        end_within(reader, &links, &tables->blocks);
    if (open_element(reader, tag, id, token) < 0)
        return -1;
    made = new_link(reader, attribute_text(tables, token, key_href), token);
    if (made > 0) {
        end_link(reader);
        reader->link = reader->links_count - 1;
        reader->link_depth = reader->depth;
        reader->position = Py_MIN(reader->position, tables->anchor);
    }
    return made < 0 ? -1 : hide(reader, token);
}

/* Add to the name of a link without text. */
static int
add_name(FoundLink *link, PyObject *name)
{
    if (link->alts == NULL && (link->alts = PyList_New(0)) == NULL)
        return -1;
    return PyList_Append(link->alts, name);
}

/* What an image says beside a link. */
static int
add_alt(Reader *reader, FoundLink *link, PyObject *token)
{
    int failed;
    PyObject *alt = attribute_text(reader->tables, token, key_alt);

    if (alt == NULL)
        return -1;
    failed = add_name(link, alt);
    Py_DECREF(alt);
    return failed;
}

/* Take a link that has no content. Takes `href` over. */
static int
point(Reader *reader, PyObject *href, PyObject *tag, int id, PyObject *token)
{
    int made;

    if (href == NULL || open_element(reader, tag, id, token) < 0) {
        Py_XDECREF(href);
        return -1;
    }
    made = new_link(reader, href, token);
    drop_element(&reader->stack[--reader->depth]);
    if (reader->depth < reader->fewest)
        reader->fewest = reader->depth;
    if (made > 0) {
        FoundLink *link = &reader->links[reader->links_count - 1];
        link->start = link->end = reader->length;
        return add_alt(reader, link, token);
    }
    return made;
}

/* The same for an element that names an address in an attribute of its own. */
static int
point_at(Reader *reader, PyObject *tag, int id, PyObject *token)
{
    PyObject *address = PyObject_CallOneArg(reader->tables->address_of, token);

    if (address != NULL && !PyUnicode_Check(address)) {
        Py_CLEAR(address);
        PyErr_SetString(PyExc_TypeError, "an address is no str");
    }
    return point(reader, address, tag, id, token);
}

/* Take the links that readers without scripts see: `html` stands in <noscript>. */
static int
take_links_within(Reader *reader, PyObject *html)
{
    PyObject *rows = PyObject_CallOneArg(reader->tables->links_within, html); /* tag, token, address, text */
    int failed = 0;

    if (rows != NULL && !PyList_Check(rows)) {
        Py_CLEAR(rows);
        PyErr_SetString(PyExc_TypeError, "links are no list");
    }
    if (rows == NULL)
        return -1;
    for (Py_ssize_t i = 0; !failed && i < PyList_GET_SIZE(rows); i++) {
        PyObject *tag, *token, *address, *text, *row = Py_NewRef(PyList_GET_ITEM(rows, i));
        Py_ssize_t before = reader->links_count;
        int id = -2;
        if (PyArg_ParseTuple(row, "UOUU", &tag, &token, &address, &text))
            id = id_of(reader->tables, tag);
        failed = id == -2 ? -1 : point(reader, Py_NewRef(address), tag, id, token);
        if (!failed && reader->links_count > before)
            failed = PyList_Append(reader->links[before].alts, text); /* a list since `point` */
        Py_DECREF(row);
    }
    Py_DECREF(rows);
    return failed;
}

/* ---- what a page says of itself ---- */

/* Put a new value where none is yet. Takes it over. */
static int
keep_first(PyObject **held, PyObject *value)
{
    if (value == NULL)
        return -1;
    if (PyUnicode_GET_LENGTH(*held) == 0)
        Py_SETREF(*held, value);
    else
        Py_DECREF(value);
    return 0;
}

static int
start_html(Reader *reader, PyObject *tag, int id, PyObject *token)
{
    if (keep_first(&reader->language, attribute_text(reader->tables, token, key_lang)) < 0
        || keep_first(&reader->language, attribute_text(reader->tables, token, key_xml_lang)) < 0)
        return -1;
    return start_block(reader, tag, id, token);
}

static int
base_address(Reader *reader, PyObject *token)
{
    PyObject *address, *href = attribute_text(reader->tables, token, key_href);
    if (href == NULL)
        return -1;
    address = stripped(href);
    Py_DECREF(href);
    return keep_first(&reader->base, address);
}

/* A pair of a Python function's answer. */
static int
is_pair(PyObject *pair)
{
    if (pair == NULL)
        return 0;
    if (PyTuple_Check(pair) && PyTuple_GET_SIZE(pair) == 2 && PyUnicode_Check(PyTuple_GET_ITEM(pair, 1)))
        return 1;
    PyErr_SetString(PyExc_TypeError, "no pair that ends with a str");
    return 0;
}

static int
related(Reader *reader, PyObject *token)
{
    PyObject *pair = PyObject_CallOneArg(reader->tables->related_of, token); /* canonical address, feed */
    int failed = -1;
    if (is_pair(pair) && PyUnicode_Check(PyTuple_GET_ITEM(pair, 0)))
        failed = keep_first(&reader->canonical, Py_NewRef(PyTuple_GET_ITEM(pair, 0))) < 0
                 || keep_first(&reader->feed, Py_NewRef(PyTuple_GET_ITEM(pair, 1))) < 0;
    else if (!PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "no pair of str");
    Py_XDECREF(pair);
    return failed ? -1 : 0;
}

static int
meta(Reader *reader, PyObject *tag, int id, PyObject *token)
{
    PyObject *pair = PyObject_CallOneArg(reader->tables->meta_of, token); /* words for robots, where a refresh leads */
    int failed = -1;
    if (is_pair(pair)) {
        PyObject *updated = PyObject_CallMethod(reader->robots, "update", "(O)", PyTuple_GET_ITEM(pair, 0));
        if (updated != NULL) {
            PyObject *href = PyTuple_GET_ITEM(pair, 1);
            Py_DECREF(updated);
            failed = PyUnicode_GET_LENGTH(href) ? point(reader, Py_NewRef(href), tag, id, token) : 0;
        }
    }
    Py_XDECREF(pair);
    return failed;
}

/* ---- tokens ---- */

/* Tell whether this start tag ends what is not read: HTML inside svg does. */
static int
ends_unread(Reader *reader, int id)
{
    const Tables *tables = reader->tables;
    if (reader->unread == tables->svg && is_in(&tables->blocks, id) && id != tables->title_tag)
        reader->unread = -1;
    else if (id == reader->unread)
        reader->unread_depth++;
    return reader->unread < 0;
}

/* An attribute of the token as a truth value; -1 for an error. */
static int
is_self_closing(const Tables *tables, PyObject *token)
{
    PyObject *value = read_attribute(&tables->closing_of, token);
    int found = value == NULL ? -1 : PyObject_IsTrue(value);
    Py_XDECREF(value);
    return found;
}

/* Open an element, as a block if it is one. */
static int
open_any(Reader *reader, PyObject *tag, int id, PyObject *token)
{
    return reader->tables->tags[id].is_block ? start_block(reader, tag, id, token) : open_element(reader, tag, id, token);
}

/* Open an element that browsers do not show unless it is `open`. */
static int
start_unseen(Reader *reader, PyObject *tag, int id, PyObject *token)
{
    PyObject *open;

    if (open_any(reader, tag, id, token) < 0)
        return -1;
    if (!reader->hiding)
        return 0;
    open = attribute(reader->tables, token, key_open);
    if (open == NULL)
        return -1;
    if (open == Py_None)
        reader->position = GONE;
    Py_DECREF(open);
    return 0;
}

static int
take_start(Reader *reader, PyObject *token, PyObject *tag)
{
    const Tables *tables = reader->tables;
    int id = id_of(tables, tag), action;

    if (id == -2)
        return -1;
    action = id < 0 ? OPEN : tables->tags[id].action;
    if (action == OPEN || id == tables->svg || action == UNSEEN) {
        int closing = is_self_closing(tables, token);
        if (closing)
            return closing < 0 ? -1 : 0; /* empty; HTML knows others as start tags */
    }
    if (reader->unread >= 0 && !ends_unread(reader, id))
        return reader->unread == tables->svg && id == tables->a ? point_at(reader, tag, id, token) : 0;
    switch (action) {
    case BLOCK:
        return start_block(reader, tag, id, token) < 0 ? -1 : hide(reader, token);
    case BREAK:
        reader->new_block = 1;
        return 0;
    case SKIP:
        return 0;
    case RANKED:
        if (open_any(reader, tag, id, token) < 0)
            return -1;
        if (tables->tags[id].position < reader->position)
            reader->position = tables->tags[id].position;
        if (id != tables->title_tag)
            return hide(reader, token);
        reader->naming = PyUnicode_GET_LENGTH(reader->title) == 0;
        return 0;
    case UNREAD:
        reader->unread = id;
        reader->unread_depth = 1;
        return 0;
    case HTML:
        return start_html(reader, tag, id, token);
    case LINK:
        return start_link(reader, tag, id, token);
    case POINT:
        return point_at(reader, tag, id, token);
    case INNER_FRAME:
        reader->unread = id;
        reader->unread_depth = 1;
        return point_at(reader, tag, id, token);
    case OBJECT:
        return point_at(reader, tag, id, token) < 0 ? -1 : open_element(reader, tag, id, token);
    case IMAGE:
        return reader->link >= 0 ? add_alt(reader, &reader->links[reader->link], token) : 0;
    case BASE_ADDRESS:
        return base_address(reader, token);
    case RELATED:
        return related(reader, token);
    case META:
        return meta(reader, tag, id, token);
    case NOTED:
        if (reader->notes == NULL)
            reader->noted_depth = reader->depth;
        if (open_element(reader, tag, id, token) < 0)
            return -1;
        if (reader->position >= tables->anchor)
            reader->position = NOTE;
        return 0;
    case UNSEEN:
        return start_unseen(reader, tag, id, token);
    default:
        return open_element(reader, tag, id, token) < 0 ? -1 : hide(reader, token);
    }
}

static int
take_end(Reader *reader, PyObject *tag)
{
    const Tables *tables = reader->tables;
    int id = id_of(tables, tag);

    if (id == -2)
        return -1;
    if (reader->unread >= 0) {
        if (id == reader->unread && --reader->unread_depth == 0)
            reader->unread = -1;
        return 0;
    }
    if (is_in(&tables->blocks, id))
        reader->new_block = 1;
    if (reader->depth) {
        Element *top = &reader->stack[reader->depth - 1];
        if (top->id == id && (id >= 0 || PyUnicode_Compare(top->tag, tag) == 0)) {
            cut(reader, reader->depth - 1);
            return 0;
        }
        if (PyErr_Occurred())
            return -1;
    }
    return end_named(reader, tag, id, is_in(&tables->cells, id) ? &tables->tables : &tables->cells);
}

/* Note that from `start` to `end` the text stands at one position. */
static int
add_span(Reader *reader, Py_ssize_t start, Py_ssize_t end, int position)
{
    PyTypeObject *type = (PyTypeObject *)reader->tables->span_type;
    PyObject *span = type->tp_alloc(type, 3), *from, *to;
    int failed;

    if (span == NULL)
        return -1;
    from = PyLong_FromSsize_t(start);
    to = PyLong_FromSsize_t(end);
    PyTuple_SET_ITEM(span, 0, from);
    PyTuple_SET_ITEM(span, 1, to);
    PyTuple_SET_ITEM(span, 2, Py_NewRef(reader->tables->positions[position]));
    failed = from == NULL || to == NULL || PyList_Append(reader->spans, span) < 0;
    Py_DECREF(span);
    return failed ? -1 : 0;
}

/* Count a hidden text; a link is named by it. A ruby text waits until its base is complete. */
static int
hide_text(Reader *reader, PyObject *data)
{
    if (reader->position == NOTE) {
        if (reader->notes == NULL && (reader->notes = PyList_New(0)) == NULL)
            return -1;
        return PyList_Append(reader->notes, data);
    }
    reader->hidden += PyUnicode_GET_LENGTH(data);
    return reader->link < 0 ? 0 : add_name(&reader->links[reader->link], data);
}

/* Begin a block of text. */
static int
add_block(Reader *reader, BlockPlace place)
{
    if (make_room((void **)&reader->blocks, &reader->blocks_room, reader->blocks_count + 1, sizeof *reader->blocks) < 0)
        return -1;
    reader->blocks[reader->blocks_count++] = (Block){.place = place};
    return 0;
}

/* Put the ruby texts at the end of the text, between blanks. */
static int
put_notes(Reader *reader, int position)
{
    PyObject *joined = PyUnicode_Join(one_blank, reader->notes), *note = NULL;
    int failed;

    Py_CLEAR(reader->notes);
    if (joined == NULL)
        return -1;
    if (reader->blocks_count == 0 && add_block(reader, (BlockPlace){0, 0, 0}) < 0) {
        Py_DECREF(joined);
        return -1;
    }
    note = with_folded_blanks(joined, &reader->folded, &reader->folded_room);
    Py_DECREF(joined);
    failed = note == NULL || PyList_Append(reader->parts, reader->length ? one_blank : empty) < 0
             || PyList_Append(reader->parts, note) < 0;
    if (!failed) {
        reader->length += (reader->length > 0) + PyUnicode_GET_LENGTH(note);
        reader->blank = position;
    }
    Py_XDECREF(note);
    return failed ? -1 : 0;
}

/* `start`, `run`: since where block and position of the text are the same, and that position. */
static int
take_text(Reader *reader, PyObject *data, Py_ssize_t *start, int *run)
{
    const Tables *tables = reader->tables;
    int kind = PyUnicode_KIND(data), position = reader->position, failed, is_folded;
    const void *characters = PyUnicode_DATA(data);
    Py_ssize_t size = PyUnicode_GET_LENGTH(data), blanks = 0;
    PyObject *text;

    while (blanks < size && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, characters, blanks)))
        blanks++;
    if (reader->unread >= 0)
        return size && reader->unread == tables->noscript ? take_links_within(reader, data) : 0;
    if (position < tables->anchor)
        return blanks == size ? 0 : hide_text(reader, data);
    if (size && blanks == size) {
        if (reader->blank < 0)
            reader->blank = position;
        return 0;
    }
    if (reader->notes != NULL && (reader->new_block || reader->depth < reader->noted_depth)
        && put_notes(reader, *run) < 0)
        return -1;
    text = with_folded_blanks(data, &reader->folded, &reader->folded_room);
    if (text == NULL)
        return -1;
    is_folded = PyUnicode_GET_LENGTH(text) == size; /* so no blank stands at its ends */
    if (reader->length && reader->new_block) {
        if (*start < reader->length && add_span(reader, *start, reader->length, *run) < 0)
            goto fail;
        if (PyList_Append(reader->parts, tables->paragraph) < 0)
            goto fail;
        *start = ++reader->length;
    }
    else if (reader->length && (reader->blank >= 0 || (!is_folded && blanks))) {
        int blank = reader->blank >= 0 ? reader->blank : position; /* where the first of those stood */
        if (blank != *run) {
            if (*start < reader->length && add_span(reader, *start, reader->length, *run) < 0)
                goto fail;
            *start = reader->length;
            *run = blank;
        }
        if (PyList_Append(reader->parts, one_blank) < 0)
            goto fail;
        reader->length++;
    }
    if (position != *run) {
        if (*start < reader->length && add_span(reader, *start, reader->length, *run) < 0)
            goto fail;
        *start = reader->length;
        *run = position;
    }
    if (position == tables->title) {
        if (reader->naming) {
            PyUnicode_Append(&reader->title, text);
            if (reader->title == NULL)
                goto fail;
        }
    }
    else if (position <= tables->title && reader->link >= 0 && reader->links[reader->link].start < 0)
        reader->links[reader->link].start = reader->length;
    if (add_node(reader, reader->length) < 0)
        goto fail;
    if ((reader->new_block || reader->blocks_count == 0) && add_block(reader, here(reader)) < 0)
        goto fail;
    add_to_block(&reader->blocks[reader->blocks_count - 1], text, here(reader).marks, position == tables->anchor);
    failed = PyList_Append(reader->parts, text);
    if (failed)
        goto fail;
    reader->length += PyUnicode_GET_LENGTH(text);
    Py_DECREF(text);
    reader->new_block = 0;
    reader->blank = !is_folded && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, characters, size - 1)) ? position : -1;
    return 0;
fail:
    Py_DECREF(text);
    return -1;
}

static int
take_tokens(Reader *reader, PyObject *tokens)
{
    const Tables *tables = reader->tables;
    Py_ssize_t start = 0;
    int run = tables->other;
    PyObject *token;

    while ((token = PyIter_Next(tokens)) != NULL) {
        int failed = 0;
        PyObject *kind = read_attribute(&tables->type_of, token), *value = NULL;
        if (kind == NULL)
            failed = -1;
        else if (kind == tables->text || kind == tables->start_tag || kind == tables->end_tag) {
            value = read_attribute(kind == tables->text ? &tables->data_of : &tables->tag_of, token);
            if (value == NULL)
                failed = -1;
            else if (!PyUnicode_Check(value)) {
                PyErr_SetString(PyExc_TypeError, "a token without its text");
                failed = -1;
            }
            else if (kind == tables->text)
                failed = take_text(reader, value, &start, &run);
            else if (kind == tables->start_tag)
                failed = take_start(reader, token, value);
            else
                failed = take_end(reader, value);
        }
        Py_XDECREF(value);
        Py_XDECREF(kind);
        Py_DECREF(token);
        if (failed)
            return -1;
    }
    if (PyErr_Occurred())
        return -1;
    if (reader->notes != NULL && put_notes(reader, run) < 0)
        return -1;
    if (start < reader->length && add_span(reader, start, reader->length, run) < 0)
        return -1;
    end_link(reader);
    return 0;
}

/* A link as html_extraction.FoundLink has it, without its type. */
static PyObject *
link_as_tuple(Reader *reader, FoundLink *link)
{
    PyObject *alt = NULL, *joined;

    if (link->start == link->end && link->alts != NULL) {
        joined = PyUnicode_Join(one_blank, link->alts);
        if (joined == NULL)
            return NULL;
        alt = with_folded_blanks(joined, &reader->folded, &reader->folded_room);
        Py_DECREF(joined);
    }
    else
        alt = Py_NewRef(empty);
    if (alt == NULL)
        return NULL;
    return Py_BuildValue("(OONnnOOn)", link->href, link->title, alt, link->start, link->end, link->path, link->rel,
                         link->node);
}

static PyObject *
result_of(Reader *reader)
{
    PyObject *text = NULL, *spans = NULL, *links = NULL, *nodes = NULL, *hidden = NULL, *blocks = NULL, *result = NULL;

    text = PyUnicode_Join(empty, reader->parts);
    spans = PyList_AsTuple(reader->spans);
    links = PyList_New(reader->links_count);
    nodes = PyTuple_New(reader->nodes_count);
    hidden = PyLong_FromSsize_t(reader->hidden);
    blocks = scores_of(&reader->tables->weights, reader->blocks, reader->blocks_count);
    if (blocks == NULL || hidden == NULL || text == NULL || spans == NULL || links == NULL || nodes == NULL)
        goto end;
    for (Py_ssize_t i = 0; i < reader->links_count; i++) {
        PyObject *link = link_as_tuple(reader, &reader->links[i]);
        if (link == NULL)
            goto end;
        PyList_SET_ITEM(links, i, link);
    }
    for (Py_ssize_t i = 0; i < reader->nodes_count; i++) {
        PyObject *number = PyLong_FromSsize_t(reader->nodes[i]);
        if (number == NULL)
            goto end;
        PyTuple_SET_ITEM(nodes, i, number);
    }
    result = PyTuple_Pack(12, text, spans, links, nodes, reader->title, reader->language, reader->base,
                          reader->canonical, reader->feed, reader->robots, hidden, blocks);
end:
    Py_XDECREF(blocks);
    Py_XDECREF(hidden);
    Py_XDECREF(text);
    Py_XDECREF(spans);
    Py_XDECREF(links);
    Py_XDECREF(nodes);
    return result;
}

static const char TABLES[] = "ontocrawl.tables";

PyDoc_STRVAR(read_tokens_doc,
"read_tokens(tokens, tables, hiding)\n--\n\n"
"What html_extraction.Markup makes of a page's tokens, as the fields of html_extraction.Reading. `hiding`: whether hidden\n"
"text is left out.");

static PyObject *
read_tokens(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *tokens, *capsule, *result = NULL;
    Reader reader = {0};

    if (!PyArg_ParseTuple(args, "OOp", &tokens, &capsule, &reader.hiding))
        return NULL;
    reader.tables = PyCapsule_GetPointer(capsule, TABLES);
    if (reader.tables == NULL)
        return NULL;
    tokens = PyObject_GetIter(tokens);
    if (tokens == NULL)
        return NULL;
    reader.position = reader.tables->other;
    reader.blank = reader.unread = -1;
    reader.link = -1;
    reader.parts = PyList_New(0);
    reader.spans = PyList_New(0);
    reader.robots = PySet_New(NULL);
    reader.title = Py_NewRef(empty);
    reader.language = Py_NewRef(empty);
    reader.base = Py_NewRef(empty);
    reader.canonical = Py_NewRef(empty);
    reader.feed = Py_NewRef(empty);
    if (reader.parts != NULL && reader.spans != NULL && reader.robots != NULL && take_tokens(&reader, tokens) == 0)
        result = result_of(&reader);
    Py_DECREF(tokens);
    while (reader.depth)
        drop_element(&reader.stack[--reader.depth]);
    for (Py_ssize_t i = 0; i < reader.links_count; i++)
        drop_link(&reader.links[i]);
    PyMem_Free(reader.stack);
    PyMem_Free(reader.links);
    PyMem_Free(reader.nodes);
    PyMem_Free(reader.blocks);
    PyMem_Free(reader.folded);
    Py_XDECREF(reader.notes);
    Py_XDECREF(reader.parts);
    Py_XDECREF(reader.spans);
    Py_XDECREF(reader.robots);
    Py_XDECREF(reader.title);
    Py_XDECREF(reader.language);
    Py_XDECREF(reader.base);
    Py_XDECREF(reader.canonical);
    Py_XDECREF(reader.feed);
    return result;
}

/* ---- the tables of html_extraction ---- */

static void
free_tables(PyObject *capsule)
{
    Tables *tables = PyCapsule_GetPointer(capsule, TABLES);
    if (tables == NULL)
        return;
    for (int i = 0; i < tables->positions_count; i++)
        Py_XDECREF(tables->positions[i]);
    Py_XDECREF(tables->type_of.descriptor);
    Py_XDECREF(tables->tag_of.descriptor);
    Py_XDECREF(tables->data_of.descriptor);
    Py_XDECREF(tables->closing_of.descriptor);
    Py_XDECREF(tables->attr);
    Py_XDECREF(tables->names);
    Py_XDECREF(tables->text);
    Py_XDECREF(tables->start_tag);
    Py_XDECREF(tables->end_tag);
    Py_XDECREF(tables->span_type);
    Py_XDECREF(tables->rel_of);
    Py_XDECREF(tables->related_of);
    Py_XDECREF(tables->meta_of);
    Py_XDECREF(tables->address_of);
    Py_XDECREF(tables->links_within);
    Py_XDECREF(tables->hides);
    Py_XDECREF(tables->roles);
    Py_XDECREF(tables->said_by);
    Py_XDECREF(tables->paragraph);
    Py_XDECREF(tables->no_rels);
    PyMem_Free(tables);
}

/* The names of a set of tags, all of which are in the table. */
static int
read_set(const Tables *tables, PyObject *names, TagSet *set)
{
    PyObject *name, *iterator = PyObject_GetIter(names);
    if (iterator == NULL)
        return -1;
    while ((name = PyIter_Next(iterator)) != NULL) {
        int id = id_of(tables, name);
        Py_DECREF(name);
        if (id < 0) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "a set names a tag that is not in the table");
            break;
        }
        put_in(set, id);
    }
    Py_DECREF(iterator);
    return PyErr_Occurred() ? -1 : 0;
}

PyDoc_STRVAR(tables_doc,
"tables(rows, cells, tables, token_type, kinds, positions, ranks, span_type, asked, paragraph, bounds, blocks)\n--\n\n"
"What `read_tokens` needs, once. A row a tag: name, action, position, whether it is a block, which open elements it\n"
"ends, which keep it from that, whether it is a part of a block's place, whether its names are looked at, and its\n"
"marks. kinds: of tokens (text, start tag, end tag); ranks: of the positions anchor, title,\n"
"other; asked: functions of a `rel`, of <link>, of <meta>, of an element that points, of <noscript>, of what hides; bounds: most links, length of a path, reach, length of a\n"
"name, how many elements are deep; blocks: marks of roles, a function of a name, weights of marks, tables of weights,\n"
"the marks header, footer, comment, h1, and those of what may be inside an article.");

static PyObject *
make_tables(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *rows, *cells, *table, *positions, *capsule, *text, *start_tag, *end_tag, *span_type, *rel, *rl, *mt, *at, *in, *hd, *par;
    PyObject *roles, *said, *bits, *weights;
    BlockWeights *own;
    PyObject *token_type;
    Tables *tables = PyMem_Calloc(1, sizeof *tables);

    if (tables == NULL)
        return PyErr_NoMemory();
    capsule = PyCapsule_New(tables, TABLES, free_tables);
    if (capsule == NULL) {
        PyMem_Free(tables);
        return NULL;
    }
    own = &tables->weights;
    if (!PyArg_ParseTuple(args, "O!OOO!(OOO)O!(iii)O!(OOOOOO)U(nnnnn)(O!OOO(IIII)I)", &PyList_Type, &rows, &cells, &table, &PyType_Type,
                          &token_type, &text, &start_tag, &end_tag, &PyTuple_Type, &positions, &tables->anchor, &tables->title, &tables->other,
                          &PyType_Type, &span_type, &rel, &rl, &mt, &at, &in, &hd, &par, &tables->most_links, &tables->path_length,
                          &tables->reach, &tables->name_length, &tables->deep, &PyDict_Type, &roles, &said, &bits, &weights,
                          &own->header, &own->footer, &own->comment, &own->h1, &own->inside))
        goto fail;
    if (PyList_GET_SIZE(rows) > MOST_TAGS || PyTuple_GET_SIZE(positions) > MOST_POSITIONS
        || !PyType_IsSubtype((PyTypeObject *)span_type, &PyTuple_Type)) {
        PyErr_SetString(PyExc_ValueError, "too many tags or positions, or a span that is no tuple");
        goto fail;
    }
    find_attribute(&tables->type_of, token_type, name_type);
    find_attribute(&tables->tag_of, token_type, name_tag);
    find_attribute(&tables->data_of, token_type, name_data);
    find_attribute(&tables->closing_of, token_type, name_self_closing);
    tables->attr = PyObject_GetAttr(token_type, name_attr);
    if (tables->attr == NULL)
        goto fail;
    tables->text = Py_NewRef(text);
    tables->start_tag = Py_NewRef(start_tag);
    tables->end_tag = Py_NewRef(end_tag);
    tables->span_type = Py_NewRef(span_type);
    tables->rel_of = Py_NewRef(rel);
    tables->related_of = Py_NewRef(rl);
    tables->meta_of = Py_NewRef(mt);
    tables->address_of = Py_NewRef(at);
    tables->links_within = Py_NewRef(in);
    tables->hides = Py_NewRef(hd);
    tables->roles = Py_NewRef(roles);
    tables->said_by = Py_NewRef(said);
    if (read_block_weights(own, bits, weights) < 0)
        goto fail;
    tables->paragraph = Py_NewRef(par);
    tables->positions_count = (int)PyTuple_GET_SIZE(positions);
    for (int i = 0; i < tables->positions_count; i++)
        tables->positions[i] = Py_NewRef(PyTuple_GET_ITEM(positions, i));
    for (int *rank = (int[]){tables->anchor, tables->title, tables->other, -1}; *rank != -1; rank++)
        if (*rank < 0 || *rank >= tables->positions_count) {
            PyErr_SetString(PyExc_ValueError, "no such position");
            goto fail;
        }
    tables->no_rels = PyFrozenSet_New(NULL);
    tables->names = PyDict_New();
    if (tables->no_rels == NULL || tables->names == NULL)
        goto fail;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); i++) {
        Tag *tag = &tables->tags[i];
        PyObject *name, *ended, *limits, *place = PyLong_FromSsize_t(i);
        int failed;
        if (place == NULL)
            goto fail;
        failed = !PyArg_ParseTuple(PyList_GET_ITEM(rows, i), "UiipOOppI", &name, &tag->action, &tag->position,
                                   &tag->is_block, &ended, &limits, &tag->is_place, &tag->is_named, &tag->marks)
                 || PyDict_SetItem(tables->names, name, place) < 0;
        Py_DECREF(place);
        if (failed)
            goto fail;
        if (tag->action < 0 || tag->action >= ACTIONS || tag->position < 0 || tag->position >= tables->positions_count) {
            PyErr_SetString(PyExc_ValueError, "no such action or position");
            goto fail;
        }
        if (tag->is_block)
            put_in(&tables->blocks, (int)i);
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rows); i++) {
        PyObject *row = PyList_GET_ITEM(rows, i);
        if (read_set(tables, PyTuple_GET_ITEM(row, 4), &tables->tags[i].ended) < 0
            || read_set(tables, PyTuple_GET_ITEM(row, 5), &tables->tags[i].limits) < 0)
            goto fail;
    }
    if (read_set(tables, cells, &tables->cells) < 0 || read_set(tables, table, &tables->tables) < 0)
        goto fail;
    const struct {
        const char *name;
        int *id;
    } known[] = {{"a", &tables->a}, {"svg", &tables->svg}, {"noscript", &tables->noscript}, {"title", &tables->title_tag}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        PyObject *name = PyUnicode_FromString(known[i].name);
        *known[i].id = name ? id_of(tables, name) : -2;
        Py_XDECREF(name);
    }
    if (PyErr_Occurred())
        goto fail;
    if (tables->a < 0 || tables->svg < 0 || tables->noscript < 0 || tables->title_tag < 0) {
        PyErr_SetString(PyExc_ValueError, "no row for a, svg, noscript or title");
        goto fail;
    }
    return capsule;
fail:
    Py_DECREF(capsule);
    return NULL;
}
