/* Both names of an entry in one macro call are one teardown; in two calls they are two. */
#define LOAD(table, name, symbol) (table)->name = look_up(#symbol)

void load(struct table *t)
{
    LOAD(t, cuMemFree, cuMemFree_v2); /* want: raw-teardown */
    LOAD(t, cuMemFree, cuMemFree_v2); LOAD(t, cuMemFree, cuMemFree_v2); /* want: raw-teardown, want: raw-teardown */
}
