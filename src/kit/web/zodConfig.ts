/**
 * Has to run before zod, which would otherwise compile checks with `new Function`, which the page's policy forbids. Sets zod's
 * global configuration directly, so the public pages do not load zod.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
