/*
 * The service worker: an offline page, and hashed assets that are fetched once. Pages always come from the network, so
 * that a new deploy is seen at the next load; calls to the API are never touched.
 */

// Raise the number when one of these files changes.
const offlineCache = 'offline-2'
const offlineFiles = ['/offline.html', '/offline.js', '/theme.js', '/favicon.svg']
const assetCache = 'assets-1'
const mostAssets = 250

// A reply that varies (by origin, by encoding) is still the same file.
const anyVariant = { ignoreVary: true }

self.addEventListener('install', event => {
  const fresh = offlineFiles.map(file => new Request(file, { cache: 'reload' }))
  event.waitUntil(caches.open(offlineCache).then(cache => cache.addAll(fresh)))
  // The new worker does not wait for old tabs: it holds nothing that an old page could miss.
  self.skipWaiting()
})

const takeOver = async () => {
  const names = await caches.keys()
  await Promise.all(names.filter(name => name !== offlineCache && name !== assetCache).map(name => caches.delete(name)))
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

self.addEventListener('activate', event => event.waitUntil(takeOver()))

const page = async event => {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return (await caches.match('/offline.html', anyVariant)) ?? Response.error()
  }
}

/** Their names carry a hash of what is in them: what was fetched once is right for ever. */
const asset = async event => {
  const known = await caches.match(event.request, anyVariant)
  if (known) return known
  const reply = await fetch(event.request)
  if (reply.ok && reply.type === 'basic') {
    const copy = reply.clone()
    event.waitUntil(keep(event.request, copy))
  }
  return reply
}

/** Old deploys leave assets behind: the oldest go. */
const keep = async (request, reply) => {
  const cache = await caches.open(assetCache)
  await cache.put(request, reply)
  const kept = await cache.keys()
  await Promise.all(kept.slice(0, Math.max(0, kept.length - mostAssets)).map(old => cache.delete(old, anyVariant)))
}

const offlineFile = async event => {
  try {
    return await fetch(event.request)
  } catch {
    return (await caches.match(event.request, anyVariant)) ?? Response.error()
  }
}

self.addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || pathname.startsWith('/api/')) return
  if (request.mode === 'navigate') event.respondWith(page(event))
  else if (pathname.startsWith('/assets/')) event.respondWith(asset(event))
  else if (offlineFiles.includes(pathname)) event.respondWith(offlineFile(event))
})
