/*
 * The service worker: an offline page. Pages always come from the network, so that a new deploy is seen at the next
 * load. Hashed assets are the browser's own to keep, since the document asks for them before a worker could answer;
 * calls to the API are never touched.
 */

// Raise the number when one of these files changes.
const offlineCache = 'offline-3'
const offlineFiles = ['/offline.html', '/offline.js', '/theme.js', '/favicon.svg']

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
  await Promise.all(names.filter(name => name !== offlineCache).map(name => caches.delete(name)))
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
  else if (offlineFiles.includes(pathname)) event.respondWith(offlineFile(event))
})
