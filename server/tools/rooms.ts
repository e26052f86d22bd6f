/** A folder of the server, and what it may know. */
export interface Room {
  name: string
  /** What it holds, as the README says it. */
  holds: string
  /** Rooms on its own level, which it does not know either. */
  beside?: readonly string[]
  /** Of the rooms below it these alone; absent = all. */
  only?: readonly string[]
  /** What it is kept from beyond other rooms. */
  without?: 'frameworks' | 'frameworks and disk' | 'the world'
}

/**
 * The rooms of the server from the top down: imports point down this list. `npm run docs` makes the linter's fence of
 * it (fence.json), which `.oxlintrc.json` extends.
 */
export const rooms: readonly Room[] = [
  { name: 'commands', holds: 'the command line' },
  {
    name: 'sandbox',
    holds: 'assembles and runs: deps, listen, stop, certificate, processes of jobs',
  },
  {
    name: 'embedded',
    holds: 'the in-process handle, its public types, the client of a sandbox that runs',
  },
  {
    name: 'http',
    holds: 'the app, `plugins/`, `routes/{hub,oauth,control,pages}/`, `pages/` (data to HTML)',
  },
  {
    name: 'code-cache',
    holds: 'loads the command line with what V8 compiled of it before',
    only: [],
  },
  { name: 'config', holds: 'flags, variables and files become settings' },
  { name: 'fixtures', holds: 'read, `check/`, complete, `load/`, `export/`, `snapshots/`' },
  {
    name: 'mends',
    holds: 'what lets a refused sign-in pass, and makes it so',
    without: 'frameworks',
  },
  {
    name: 'triggers',
    holds: 'cause events by hand, move the clock',
    beside: ['faults', 'requests'],
    without: 'frameworks',
  },
  {
    name: 'tries',
    holds: 'play an app through a whole flow, by requests to the sandbox itself',
    only: ['state', 'core', 'contract'],
    without: 'frameworks',
  },
  { name: 'faults', holds: 'break and hold answers', beside: ['requests'], without: 'frameworks' },
  {
    name: 'requests',
    holds: 'the request log, and the flows that are read off it',
    without: 'frameworks',
  },
  {
    name: 'accounts',
    holds: 'make, rename and delete users and organizations',
    without: 'frameworks',
  },
  {
    name: 'reroute',
    holds: 'requests to the real hub go to the sandbox instead: hooks of a process, proxy',
    only: ['outgoing', 'core', 'contract'],
    without: 'frameworks',
  },
  {
    name: 'git',
    holds: 'git over HTTP: its protocol, its program, what a push brings',
    only: ['hub', 'events', 'objects', 'state', 'core', 'contract'],
    without: 'frameworks',
  },
  {
    name: 'outgoing',
    holds: 'every way out: address policy, one deadline, post, fetch, links',
    without: 'frameworks',
  },
  { name: 'webhooks', holds: 'match, deliver, retry, replay, explain', without: 'the world' },
  { name: 'jobs', holds: 'jobs, their logs and what they are told', without: 'the world' },
  { name: 'oauth', holds: 'the protocol, one module for each part of it', without: 'the world' },
  { name: 'hub', holds: 'repos, commits, discussions, rights', without: 'the world' },
  { name: 'events', holds: 'the bus, the facts, the live feed', without: 'frameworks' },
  {
    name: 'objects',
    holds: 'contents of repos: objects of git, in memory and in folders',
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
    holds: 'the receiver helper, published by itself',
    without: 'frameworks and disk',
  },
  {
    name: 'core',
    holds: 'clock, ids, secrets, durations: small words everybody may use',
    without: 'frameworks',
  },
  { name: 'contract', holds: 'every shape and every word of the wire', only: [] },
]

/** What puts the rooms within http together, and is known to none of them. */
const apps = ['addresses', 'api-app', 'app', 'base-app', 'control-app', 'front-door', 'hub-hooks']

/** Rooms within http, each with those of its neighbours that it does not know. */
export const roomsOfHttp: Readonly<Record<string, readonly string[]>> = {
  pages: [...apps, 'plugins', 'routes'],
  plugins: [...apps, 'pages', 'routes'],
  'routes/hub': [...apps, 'routes/oauth', 'routes/control', 'routes/pages'],
  'routes/oauth': [...apps, 'routes/hub', 'routes/control'],
  'routes/control': [...apps, 'routes/hub', 'routes/oauth', 'routes/pages'],
  'routes/pages': [...apps, 'routes/hub', 'routes/oauth', 'routes/control'],
}

/** What a room may not import of the others, whatever way: a type is an import, too. */
export function roomsOutOfReach({ name, beside = [], only }: Room): string[] {
  const index = rooms.findIndex((room) => room.name === name)
  const others = rooms.filter((room) => room.name !== name).map((room) => room.name)
  const forbidden =
    only === undefined
      ? [...rooms.slice(0, index).map((room) => room.name), ...beside]
      : others.filter((other) => !only.includes(other))
  return ['tools', ...forbidden]
}
