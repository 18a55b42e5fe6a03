/** The page's build. Each plugin of build/ says why it exists. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { endpointTable } from './build/endpointTable.ts'
import { firstCode } from './build/firstCode.ts'
import { inlineFirstPaint } from './build/inlineFirstPaint.ts'
import { precompress } from './build/precompress.ts'
import { prerender } from './build/prerender.ts'
import { scriptsAfterPaint } from './build/scriptsAfterPaint.ts'
import { sharedChunks } from './build/sharedChunks.ts'
import { zodWithoutJsonSchema } from './build/zodWithoutJsonSchema.ts'

const app = 'index.html'
const landing = 'landing.html'

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    endpointTable('src/app/web/endpointTable.ts'),
    zodWithoutJsonSchema(),
    prerender({ page: app, mark: '<!--shells-->', module: 'src/app/web/shells.tsx', render: 'renderShells' }),
    prerender({
      page: app,
      mark: '<!--first-requests-->',
      module: 'src/app/web/firstRequests.ts',
      render: 'renderFirstRequests',
    }),
    prerender({
      page: landing,
      mark: '<!--page-->',
      module: 'src/landing/web/front/prerender.tsx',
      render: 'renderFrontPage',
    }),
    firstCode({
      page: app,
      mark: '<!--first-code-->',
      routes: 'src/app/web/routes.tsx',
      besides: {
        'below /dashboard': 'src/app/web/ahead.ts',
        '/dashboard/my-tests TESTER': 'src/participations/web/WayIn.tsx',
        '/dashboard/my-tests/:id TESTER': 'src/participations/web/WayIn.tsx',
        ...Object.fromEntries(
          ['DEVELOPER', 'TESTER', 'ADMIN'].map(role => [
            `/dashboard/settings ${role}`,
            'src/accounts/web/settings/ProfileForm.tsx',
          ]),
        ),
        '/dashboard DEVELOPER': 'src/dashboards/web/DeveloperDashboard.tsx',
        '/dashboard TESTER': 'src/dashboards/web/TesterDashboard.tsx',
        '/dashboard ADMIN': 'src/dashboards/web/AdminDashboard.tsx',
      },
    }),
    inlineFirstPaint({ page: app, scripts: ['theme.js', 'shell.js'] }),
    inlineFirstPaint({ page: landing, scripts: ['theme.js'] }),
    scriptsAfterPaint({ page: app, fetched: 'early' }),
    scriptsAfterPaint({ page: landing, deferred: ['offline-ready.js'] }),
    sharedChunks(),
    precompress(),
  ],
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    rolldownOptions: { input: [app, landing] },
    // scripts/bundle-budget.ts reads what each route loads.
    manifest: true,
    target: 'es2023',
    // The page's policy allows scripts from its own files only: nothing inline, no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
