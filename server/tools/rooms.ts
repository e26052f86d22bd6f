/** A folder of `server/` and the imports it may have. */
export interface Room {
  name: string
  /** Contents, as server/README.md describes them. */
  holds: string
  /** The only rooms below it that it may import; absent = all of them. */
  only?: readonly string[]
  /** Kind of module it may not import besides other rooms. */
  without?: 'frameworks' | 'frameworks and disk' | 'the world'
}

/**
 * Rooms of the server from the top down: imports point down this list. `npm run docs` generates the linter's fence
 * (fence.json) from it, which `.oxlintrc.json` extends.
 */
export const rooms: readonly Room[] = [
  {
    name: 'commands',
    holds:
      "the command line: a row for each command in `rows/`; `code-cache/` loads it with V8's compiled code",
  },
  {
    name: 'sandbox',
    holds: 'assembles and runs a sandbox: deps, listen, stop, certificate, job processes',
  },
  {
    name: 'handle',
    holds: 'the object that tests hold, in-process and remote, and its public types',
  },
  {
    name: 'http',
    holds: 'the app, `plugins/`, `routes/{hub,oauth,control,pages}/`, `pages/` (data to HTML)',
  },
  { name: 'config', holds: 'flags, environment variables and files become settings' },
  {
    name: 'fixtures',
    holds: 'read, `check/`, complete, mapping between file and state, `kinds/`, `snapshots/`',
  },
  {
    name: 'audit',
    holds:
      'audits of apps and receivers: modules as data, their verdicts, the audits that are running',
    without: 'the world',
  },
  {
    name: 'lab',
    holds:
      'features only a sandbox has: `fixes/`, `triggers/`, `demos/`, `faults/`, `experiments/`, `snippets/`',
    without: 'frameworks',
  },
  {
    name: 'advice',
    holds: 'checks of recorded traffic: `rules/`, their catalog, the evidence they judge',
    without: 'the world',
  },
  {
    name: 'report',
    holds: 'findings of checks and verdicts of audits in the formats of terminals and pipelines',
    only: ['core', 'contract'],
    without: 'the world',
  },
  {
    name: 'requests',
    holds: 'the request log, and the sign-ins derived from it',
    without: 'frameworks',
  },
  {
    name: 'accounts',
    holds: 'create, rename and delete users and organizations',
    without: 'frameworks',
  },
  {
    name: 'reroute',
    holds: 'redirects requests for the real Hub to the sandbox: process hooks, proxy',
    only: ['network', 'core', 'contract'],
    without: 'frameworks',
  },
  {
    name: 'git',
    holds: 'git over HTTP: its protocol, its program, the contents of a push',
    only: ['hub', 'events', 'objects', 'state', 'core', 'contract'],
    without: 'frameworks',
  },
  {
    name: 'network',
    holds: 'outgoing requests: address policy, one deadline, post, fetch, links, `frames/`',
    without: 'frameworks',
  },
  {
    name: 'webhooks',
    holds:
      '`manage/`, `views/`, `engine/` (queue, retry, replay), `publish/` (match, payload), `delivery/`',
    without: 'the world',
  },
  {
    name: 'oauth',
    holds: 'the protocol, one module for each part, `grants/`',
    without: 'the world',
  },
  {
    name: 'hub',
    holds:
      '`repos/`, `spaces/`, `uploads/`, `discussions/`, `collections/`, `gates/`, `people/`, `commits/`, `jobs/`, `inference/`, `endpoints/`, `access/`, `files/`, `rules/`',
    without: 'the world',
  },
  { name: 'events', holds: 'the event bus, its facts, the live feed', without: 'frameworks' },
  {
    name: 'objects',
    holds: 'contents of repos: git objects and large files, in memory and in folders',
    only: ['state', 'core', 'contract'],
    without: 'frameworks',
  },
  {
    name: 'state',
    holds: 'collections, journal, snapshot, lock',
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

/** Files in `server/web` that assemble the rooms inside it. */
const apps = ['addresses', 'api-app', 'app', 'base-app', 'control-app', 'front-door', 'hub-hooks']

/** A folder inside a room. */
export interface InnerRoom {
  /** Neighbours it may not import. */
  not: readonly string[]
  /** The only rooms outside its own that it may import, and no neighbour at all; absent = all of its room's. */
  only?: readonly string[]
}

/** Folders inside rooms that have an order of their own. */
export const innerRooms: Readonly<Record<string, InnerRoom>> = {
  'commands/code-cache': { not: [], only: ['core'] },
  'http/pages': { not: [...apps, 'plugins', 'routes'] },
  'http/plugins': { not: [...apps, 'pages', 'routes'] },
  'http/routes/hub': { not: [...apps, 'routes/oauth', 'routes/control', 'routes/pages'] },
  'http/routes/oauth': { not: [...apps, 'routes/hub', 'routes/control'] },
  'http/routes/control': { not: [...apps, 'routes/hub', 'routes/oauth', 'routes/pages'] },
  'http/routes/pages': { not: [...apps, 'routes/hub', 'routes/oauth', 'routes/control'] },
  'lab/fixes': { not: [] },
  'lab/triggers': { not: ['fixes', 'demos', 'faults'] },
  'lab/faults': { not: ['fixes', 'triggers', 'demos'] },
  'lab/demos': { not: [], only: ['state', 'core', 'contract'] },
  'lab/snippets': { not: [], only: ['oauth', 'state', 'core', 'contract'] },
  ...inOrder('webhooks', ['manage', 'views', 'engine', 'publish', 'delivery']),
  ...inOrder('hub', [
    'spaces',
    'uploads',
    'discussions',
    'repos',
    'commits',
    'jobs',
    'access',
    'files',
    'rules',
  ]),
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
