/** The page's build. Each plugin of build/ says why it exists. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { classicScript } from './build/classicScript.ts'
import { endpointTable } from './build/endpointTable.ts'
import { firstCode } from './build/firstCode.ts'
import { hashedScript } from './build/hashedScript.ts'
import { inlineFirstPaint } from './build/inlineFirstPaint.ts'
import { precompress } from './build/precompress.ts'
import { prerender } from './build/prerender.ts'
import { routerForBrowsers } from './build/routerForBrowsers.ts'
import { scriptsAfterPaint } from './build/scriptsAfterPaint.ts'
import { sharedChunks } from './build/sharedChunks.ts'
import { unusedModules } from './build/unusedModules.ts'
import { zodWithoutJsonSchema } from './build/zodWithoutJsonSchema.ts'

const app = 'index.html'
const landing = 'landing.html'

const formOfCampaign = ['AccessFields', 'FeaturesField', 'CountriesInput'].map(name => `src/campaigns/web/${name}.tsx`)

/** What a screen shows at once of what is loaded besides: by a role, or on a screen that loads its form in a file of its own. */
const firstParts: Record<string, string[]> = {
  'below /dashboard': ['src/app/web/ahead.ts'],
  '/dashboard DEVELOPER': ['src/dashboards/web/DeveloperDashboard.tsx'],
  '/dashboard TESTER': ['src/dashboards/web/TesterDashboard.tsx'],
  '/dashboard ADMIN': ['src/dashboards/web/AdminDashboard.tsx'],
  '/dashboard/settings DEVELOPER': ['src/accounts/web/settings/ProfileForm.tsx'],
  '/dashboard/settings TESTER': ['src/accounts/web/settings/ProfileForm.tsx'],
  '/dashboard/settings ADMIN': ['src/accounts/web/settings/ProfileForm.tsx'],
  '/dashboard/campaigns TESTER': ['src/reputation/web/DeveloperLine.tsx', 'src/participations/web/whyNot.ts'],
  '/dashboard/campaigns/:id TESTER': ['src/reputation/web/Figures.tsx', 'src/participations/web/whyNot.ts'],
  '/dashboard/campaigns/:id DEVELOPER': ['src/continuity/web/Clock.tsx'],
  '/dashboard/campaigns/:id ADMIN': ['src/continuity/web/Clock.tsx'],
  '/dashboard/campaigns/create DEVELOPER': ['src/campaigns/web/CreateForm.tsx', ...formOfCampaign],
  '/dashboard/campaigns/:id/edit DEVELOPER': ['src/campaigns/web/EditForm.tsx', ...formOfCampaign],
  '/dashboard/campaigns/:id/feedback-form DEVELOPER': ['src/feedback/web/FormBuilder.tsx'],
  '/dashboard/campaigns/:id/review DEVELOPER': ['src/participations/web/GivenAnswers.tsx'],
  '/dashboard/campaigns/:id/review ADMIN': ['src/participations/web/GivenAnswers.tsx'],
  '/dashboard/my-tests TESTER': ['src/participations/web/WayIn.tsx', 'src/participations/web/CheckInForm.tsx'],
  '/dashboard/my-tests/:id TESTER': ['src/participations/web/WayIn.tsx'],
  '/dashboard/my-tests/:id/report-bug TESTER': ['src/bugs/web/ReportBugForm.tsx'],
  '/dashboard/balance TESTER': ['src/ledger/web/WithdrawalForm.tsx'],
  '/dashboard/system-settings ADMIN': ['src/settings/web/SettingsForm.tsx'],
}

/** By a parameter of a screen's address: the parts that it can name, if their code is in files of its own, and who has them. */
const namedParts: [parameter: string, roles: string[], Record<string, string[]>][] = [
  [
    '/dashboard/campaigns/:id?tab=',
    ['DEVELOPER', 'ADMIN'],
    {
      testers: ['src/participations/web/TesterMatrix.tsx', 'src/participations/web/StuckTesters.tsx'],
      bugs: ['src/bugs/web/BugsTab.tsx'],
      changes: ['src/changes/web/ChangesTab.tsx'],
      feedback: ['src/feedback/web/FeedbackTab.tsx'],
      activity: ['src/activity/web/CampaignActivity.tsx'],
    },
  ],
  ['/dashboard/campaigns/:id?tab=', ['DEVELOPER'], { list: ['src/testerLists/web/TesterListTab.tsx'] }],
  [
    '/dashboard/campaigns/pending?list=',
    ['ADMIN'],
    {
      'opt-ins': ['src/participations/web/ContestedOptIns.tsx'],
      appeals: ['src/participations/web/AppealQueue.tsx'],
      rejections: ['src/participations/web/RejectionQueue.tsx'],
      payouts: ['src/ledger/web/PayoutQueue.tsx'],
      refunds: ['src/ledger/web/StuckRefundQueue.tsx'],
      disputes: ['src/ledger/web/DisputeQueue.tsx'],
    },
  ],
]

const partsOfScreens = Object.fromEntries(
  namedParts.flatMap(([parameter, roles, parts]) =>
    Object.entries(parts).flatMap(([name, modules]) => roles.map(role => [`${parameter}${name} ${role}`, modules])),
  ),
)

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    unusedModules(),
    endpointTable('src/app/web/endpointTable.ts'),
    zodWithoutJsonSchema(),
    routerForBrowsers(),
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
      besides: { ...firstParts, ...partsOfScreens },
    }),
    inlineFirstPaint({ page: app, scripts: ['older.js', 'theme.js', 'popovers.js', 'early.js', 'shell.js'] }),
    hashedScript({ page: app, script: 'first-format.js' }),
    inlineFirstPaint({ page: landing, scripts: ['older.js', 'theme.js', 'popovers.js'] }),
    scriptsAfterPaint({ page: app, fetched: 'early' }),
    scriptsAfterPaint({ page: landing, deferred: ['offline-ready.js'] }),
    classicScript({ module: 'src/kit/web/polyfills.ts', fileName: 'polyfills.js', target: 'es2022' }),
    sharedChunks(),
    precompress(),
  ],
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    rolldownOptions: {
      input: [app, landing],
      // The first script names nearly 200 others, whose hashes do not compress: seven characters are enough to tell the versions of a file apart.
      output: { entryFileNames: 'assets/[name]-[hash:7].js', chunkFileNames: 'assets/[name]-[hash:7].js' },
    },
    // scripts/bundle-budget.ts reads what each route loads.
    manifest: true,
    target: 'es2023',
    // The page's policy allows scripts from its own files only: nothing inline, no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
