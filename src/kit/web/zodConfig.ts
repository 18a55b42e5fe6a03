/**
 * Has to run before zod, which would otherwise compile checks with `new Function`, forbidden by the page's policy. Set
 * where zod keeps its configuration, not through zod, so that the public pages do not load it.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
