/**
 * Bundles modules that many screens share into common files, because one file per module would cost a screen thirty requests and 8
 * kB (docs/decisions/009-page-weight.md). Moving or renaming a listed module fails the build until the list is updated; otherwise
 * the module would silently drop out of its group. Two files that import each other also fail the build: the one that runs first
 * would read what the other has yet to define, and the page would not start.
 */
import { type Plugin, normalizePath } from 'vite'

/** The end of a file's path, a folder (with a slash at the end), or a pattern of paths. */
type Member = string | RegExp
type Group = { name: string; minShareCount: number; priority: number; members: Member[] }

/** The landing page loads only `price`, for its calculator. If a public screen loaded `signed-in`, the bundle budget would fail. */
const groupsOfThePage: Group[] = [
  {
    name: 'price',
    minShareCount: 2,
    priority: 3,
    members: [
      'src/kit/money.ts',
      'src/kit/words.ts',
      'src/kit/once.ts',
      'src/campaigns/quote.ts',
      'src/campaigns/terms.ts',
      'src/settings/terms.ts',
    ],
  },
  {
    name: 'everywhere',
    minShareCount: 2,
    priority: 2,
    members: [
      'node_modules/react/',
      'node_modules/react-dom/',
      'node_modules/react-router/',
      'node_modules/scheduler/',
      'node_modules/clsx/',
      'src/kit/paths.ts',
      'src/kit/web/api.ts',
      'src/kit/web/arrival.ts',
      'src/kit/web/drafts.ts',
      'src/accounts/web/auth.tsx',
      'src/accounts/web/calls.ts',
      'src/kit/web/deviceFingerprint.ts',
      'src/app/web/endpointTable.ts',
      'src/app/web/guards.tsx',
      'src/kit/web/newVersion.ts',
      'src/kit/web/idempotencyKeys.ts',
      'src/kit/web/press.ts',
      'src/kit/web/task.ts',
      'src/kit/web/user.ts',
      'src/kit/web/ui/about.ts',
      'src/kit/web/ui/Alert.tsx',
      'src/kit/web/ui/Brand.tsx',
      'src/kit/web/ui/Button.tsx',
      'src/kit/web/ui/DialogButtons.tsx',
      'src/kit/web/ui/DialogFooter.tsx',
      'src/kit/web/ui/dialogContext.ts',
      'src/kit/web/ui/DocumentTitle.tsx',
      'src/kit/web/ui/Input.tsx',
      'src/kit/web/ui/inputLook.ts',
      'src/kit/web/ui/passFocus.ts',
      'src/kit/web/ui/pressLock.ts',
      'src/kit/web/ui/Spinner.tsx',
      'src/kit/web/ui/toast.tsx',
      /\/lucide-react\/dist\/esm\/(?!icons\/)/,
      /\/lucide-react\/dist\/esm\/icons\/(loader|info|circle-check|circle-exclamation|triangle)/,
    ],
  },
  {
    name: 'request',
    minShareCount: 2,
    priority: 3,
    members: [
      'src/kit/clock.ts',
      'src/kit/roles.ts',
      /src\/kit\/web\/(apiError|early|log|patience|position|randomId|refresh|request|secondFactor|session)\.ts$/,
    ],
  },
  {
    // Shared by the screens that emailed links open.
    name: 'emailed-links',
    minShareCount: 2,
    priority: 2,
    members: [/src\/accounts\/web\/(LinkButton|linkFrames|LinkOver|linkToken|Outcome)\.tsx$/],
  },
  {
    name: 'password',
    minShareCount: 2,
    priority: 2,
    members: ['src/kit/web/ui/PasswordInput.tsx', /\/lucide-react\/dist\/esm\/icons\/eye(-off)?\.\w+$/],
  },
  {
    // What the frame around every signed-in screen imports, and also a few screens.
    name: 'frame',
    minShareCount: 2,
    priority: 2,
    members: [
      'src/kit/web/roleWords.ts',
      'src/kit/web/screenKeys.ts',
      'src/kit/web/stored.ts',
      'src/kit/web/theme.ts',
      'src/kit/web/ui/laterPart.ts',
      'src/kit/web/ui/TestMode.tsx',
      'src/notifications/web/calls.ts',
      'src/notifications/web/keys.ts',
      'src/participations/web/unsent.ts',
      /\/lucide-react\/dist\/esm\/icons\/(book-open-text|chart-column|clipboard-check|folder-open|log-out|mail|mails|monitor|moon|scroll-text|shield-exclamation-point|sliders-horizontal|sun|wallet)\.\w+$/,
    ],
  },
  {
    name: 'test-status',
    minShareCount: 2,
    priority: 3,
    members: [
      'src/campaigns/participationStatus.ts',
      'src/participations/web/ParticipationBadge.tsx',
      'src/participations/web/statusWords.ts',
    ],
  },
  {
    // Of a test, for its tester and for those who review it.
    name: 'test',
    minShareCount: 2,
    priority: 2,
    members: [
      'src/kit/links.ts',
      'src/nda/rules.ts',
      /src\/participations\/(deadlines|optIn|rules|situation)\.ts$/,
      /src\/participations\/web\/(otherZone|urgency)\.ts$/,
    ],
  },
  {
    // What the first requests of screens are made of. Every signed-in screen loads all of it beside its own code (ahead.ts).
    name: 'asked',
    minShareCount: 2,
    priority: 2,
    members: [
      'src/audit/actions.ts',
      'src/kit/web/numbered.ts',
      /src\/(bugs|dashboards|fraud|landing|ledger|reputation)\/terms\.ts$/,
      /src\/(activity|audit|books|bugs|changes|continuity|dashboards|fraud|landing|ledger|operations|people|reports|reputation|settings|testerLists)\/web\/calls\.ts$/,
      /src\/(activity|books|changes|continuity|dashboards|fraud|landing|operations|reports|reputation|settings|testerLists)\/web\/keys\.ts$/,
      /src\/\w+\/web\/(audit|books|campaign|center|fraud|users|waitlist)Filters\.ts$/,
      'src/dashboards/web/periods.ts',
      'src/campaigns/web/escrowCalls.ts',
      /src\/ledger\/web\/(statementFilter|disputeCalls|paperCalls|stuckRefundCalls)\.ts$/,
    ],
  },
  {
    // Modules that some screens share, and that are too small for files of their own.
    name: 'small',
    minShareCount: 2,
    priority: 1,
    members: [
      'src/accounts/rules.ts',
      'src/campaigns/web/CampaignBadge.tsx',
      'src/campaigns/web/heads.ts',
      'src/campaigns/web/listNames.ts',
      'src/kit/web/ui/DialogPlace.tsx',
      'src/participations/web/heads.ts',
      'src/reputation/web/LineFrame.tsx',
      /\/lucide-react\/dist\/esm\/icons\/(ban|ellipsis|pause|smartphone)\.\w+$/,
    ],
  },
  {
    // Of lists with filters.
    name: 'lists',
    minShareCount: 2,
    priority: 2,
    members: [
      'node_modules/use-debounce/',
      'src/kit/web/ui/foundWords.ts',
      'src/kit/web/ui/SearchInput.tsx',
      'src/kit/web/ui/Select.tsx',
      'src/kit/web/ui/Toolbar.tsx',
    ],
  },
  {
    // As `asked`, for screens that have little weight to spare.
    name: 'asked-first',
    minShareCount: 2,
    priority: 2,
    members: [/src\/(campaigns|participations)\/web\/calls\.ts$/],
  },
  {
    name: 'signed-in',
    minShareCount: 6,
    priority: 1,
    members: [
      'node_modules/@tanstack/',
      'src/kit/web/drawn.ts',
      'src/kit/web/media.ts',
      'src/kit/web/nextPaint.ts',
      'src/kit/web/now.ts',
      'src/kit/web/query.ts',
      'src/kit/web/urlFilters.ts',
      'src/kit/web/ui/BackLink.tsx',
      'src/kit/web/ui/Badge.tsx',
      'src/kit/web/ui/Card.tsx',
      'src/kit/web/ui/Dialog.tsx',
      'src/kit/web/ui/DropdownMenu.tsx',
      'src/kit/web/ui/Found.tsx',
      'src/kit/web/ui/lazyParts.ts',
      'src/kit/web/ui/MissingPage.tsx',
      'src/kit/web/ui/NoRows.tsx',
      'src/kit/web/ui/PageHeader.tsx',
      'src/kit/web/ui/Query.tsx',
      'src/kit/web/ui/States.tsx',
      'src/kit/web/ui/Table.tsx',
      'src/kit/web/ui/Values.tsx',
      'src/kit/web/ui/relativeWords.ts',
      'src/kit/web/ui/WhileLoading.tsx',
      // The face of attachments includes everything for uploads, which few screens need.
      /\/(?!attachments\/)\w+\/web\/face\.tsx$/,
      // The dashboards' keys are needed by only a few screens.
      /\/(?!dashboards\/)\w+\/web\/keys\.ts$/,
      'src/kit/web/follows.ts',
      // The eye icon belongs to the password field, which is on public screens.
      /\/lucide-react\/dist\/esm\/icons\/(?!eye)/,
    ],
  },
]

const isMember = (member: Member, file: string) => {
  if (typeof member !== 'string') return member.test(file)
  return member.endsWith('/') ? file.includes(`/${member}`) : file.endsWith(`/${member}`)
}

type Files = Record<string, { imports?: string[] }>

/** The first circle of files that import each other, in the order of the imports. */
const circleIn = (files: Files): string[] | null => {
  const checked = new Set<string>()
  const follow = (name: string, way: string[]): string[] | null => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name]
    if (checked.has(name)) return null
    for (const next of files[name]?.imports ?? []) {
      const circle = follow(next, [...way, name])
      if (circle) return circle
    }
    checked.add(name)
    return null
  }
  for (const name of Object.keys(files)) {
    const circle = follow(name, [])
    if (circle) return circle
  }
  return null
}

export const sharedChunks = (groups = groupsOfThePage): Plugin => ({
  name: 'shared-chunks',
  config: () => ({
    build: {
      rolldownOptions: {
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: groups.map(({ members, ...group }) => ({
              ...group,
              test: (id: string) => members.some(member => isMember(member, normalizePath(id))),
            })),
          },
        },
      },
    },
  }),
  generateBundle(_options, bundle) {
    const files = Array.from(this.getModuleIds(), normalizePath)
    for (const { name, members } of groups)
      for (const member of members)
        if (!files.some(file => isMember(member, file)))
          this.error(`The page has no module ${String(member)}, which the group ${name} names: has it moved?`)
    const circle = circleIn(bundle as Files)
    if (circle)
      this.error(
        `Files of the page import each other: ${circle.join(' → ')}. Put the modules that connect them into one group.`,
      )
  },
})
