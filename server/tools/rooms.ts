/** Modules that a room or a folder may not import besides other rooms. */
export type Without = 'frameworks' | 'frameworks and disk' | 'the world'

/** A folder of `server/` and the imports it may have. */
export interface Room {
  name: string
  /** Contents, as server/README.md describes them. */
  holds: string
  /** The only rooms below it that it may import; absent = all of them. */
  only?: readonly string[]
  without?: Without
}

/**
 * Rooms of the server from the top down: imports point down this list. `npm run docs` generates the linter's fence
 * (fence.json) from it, which `.oxlintrc.json` extends.
 */
export const rooms: readonly Room[] = [
  {
    name: 'cli',
    holds:
      "the command line: a row for each command in `rows/`; `exec/`, `doctor/`; `code-cache/` loads it with V8's compiled code",
  },
  {
    name: 'client',
    holds:
      'the object that tests hold, in-process and remote; `reroute/` redirects requests for the real Hub to the sandbox',
    without: 'frameworks',
  },
  {
    name: 'app',
    holds:
      'assembles and runs a sandbox: the apps, listen, stop, certificate, job processes; `config/` makes settings of flags, variables and files',
  },
  {
    name: 'lab',
    holds:
      'what only a sandbox has, a folder for each tool: `checks/`, `audit/`, `report/`, `faults/`, `triggers/`, `demos/`, `fixes/`, `experiments/`, `frames/`, `links/`, `clock/` …; `sandbox-services.ts` lists the services of a sandbox',
    without: 'frameworks',
  },
  {
    name: 'fixtures',
    holds:
      'read, `check/`, mapping between file and state, `kinds/`, `snapshots/`, recorded runs in `log/`, copies of real repos by `pull/`',
  },
  {
    name: 'inspect',
    holds:
      'the request `log/`, the sign-ins in it (`flows/`, `drawing/`, `details/`), their `exports/`, the `live/` feed',
    without: 'frameworks',
  },
  {
    name: 'hub',
    holds:
      'the emulated service, a folder for each area with its routes: `oauth/`, `access/`, `accounts/`, `pages/`, `repos/`, `files/`, `commits/`, `git/`, `webhooks/`, `jobs/` …; `events/` is the bus; `http/` is shared by the routes',
    without: 'the world',
  },
  {
    name: 'web',
    holds: 'HTTP without the Hub: base app, guards, bodies, errors; `outgoing/` requests',
  },
  {
    name: 'store',
    holds: 'collections, journal, snapshot, lock; contents of repos in `objects/`',
    only: ['core', 'contract'],
    without: 'frameworks',
  },
  {
    name: 'receiver',
    holds: 'the webhook receiver helper, published by itself',
    without: 'frameworks and disk',
  },
  {
    name: 'core',
    holds: 'clock, ids, secrets, durations: small helpers for every room',
    without: 'frameworks',
  },
  { name: 'contract', holds: 'every shape and every word of the wire', only: [] },
]

/** A folder inside a room. */
export interface InnerRoom {
  /** Neighbours it may not import. */
  not: readonly string[]
  /** The only rooms outside its own that it may import, and no neighbour at all; absent = all of its room's. */
  only?: readonly string[]
  /** In place of its room's; `nothing` = it may import everything. */
  without?: Without | 'nothing'
}

/**
 * Files that register routes. They bring the parts of a room together, so they may import frameworks and every folder of
 * their room.
 */
export const routeFiles: readonly string[] = [
  'routes',
  '*-routes',
  'control',
  '*-control',
  '*-hooks',
]

/** Folders of `lab` whose tools no check uses. */
const tools = ['fixes', 'triggers', 'demos', 'faults', 'experiments']

/** Areas of the Hub from the top down. */
const areas = [
  'pages',
  'mcp',
  'http',
  'repo-control',
  'accounts',
  'git',
  'webhooks',
  'oauth',
  'spaces',
  'uploads',
  'discussions',
  'repos',
  'commits',
  'jobs',
  'access',
  'files',
  'rules',
]

/** Folders inside rooms that have an order of their own. */
export const innerRooms: Readonly<Record<string, InnerRoom>> = {
  'cli/code-cache': { not: [], only: ['core'] },
  'inspect/log': { not: ['drawing', 'details', 'exports', 'live'], without: 'nothing' },
  'inspect/drawing': { not: ['exports', 'live'] },
  'inspect/exports': { not: ['live'] },
  'web/plugins': { not: ['base-app', 'front-door', 'mcp'] },
  'lab/audit': { not: ['control'], without: 'the world' },
  'lab/checks': { not: [...tools, 'audit', 'control'], without: 'the world' },
  'lab/report': { not: [], only: ['core', 'contract'], without: 'the world' },
  'lab/fixes': { not: ['control'] },
  'lab/triggers': { not: ['fixes', 'demos', 'faults', 'control'] },
  'lab/faults': { not: ['fixes', 'triggers', 'demos', 'control'] },
  'lab/demos': { not: [], only: ['web', 'store', 'core', 'contract'] },
  'lab/snippets': { not: [], only: ['hub', 'store', 'core', 'contract'] },
  ...inOrder('hub', areas),
  ...inOrder('hub/webhooks', ['views', 'engine', 'publish', 'delivery']),
  'hub/pages': { not: ['mcp'], without: 'nothing' },
  'hub/http': { not: ['pages', 'mcp'], without: 'nothing' },
  'hub/git': { not: areas.slice(0, areas.indexOf('git')), without: 'frameworks' },
  ...Object.fromEntries(
    ['buckets', 'collections', 'endpoints', 'gates', 'inference', 'people', 'xet'].map((area) => [
      `hub/${area}`,
      { not: areas.slice(0, areas.indexOf('spaces')) },
    ]),
  ),
}

/** Folders whose imports point down the list. */
function inOrder(room: string, folders: readonly string[]): Record<string, InnerRoom> {
  return Object.fromEntries(
    folders.map((folder, index) => [`${room}/${folder}`, { not: folders.slice(0, index) }]),
  )
}

/** Rooms that a room may not import, types included. */
export function roomsOutOfReach({ name, only }: Pick<Room, 'name' | 'only'>): string[] {
  const index = rooms.findIndex((room) => room.name === name)
  const others = rooms.filter((room) => room.name !== name).map((room) => room.name)
  const forbidden =
    only === undefined
      ? rooms.slice(0, index).map((room) => room.name)
      : others.filter((other) => !only.includes(other))
  return ['tools', ...forbidden]
}
