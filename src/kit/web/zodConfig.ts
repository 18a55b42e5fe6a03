/**
 * Has to run before zod does: it would otherwise compile checks with `new Function`, which the page's policy forbids.
 * Set where zod keeps its configuration, and not through zod, so that the public pages do not load it.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
