import { type Room, rooms, roomsOfHttp, roomsOutOfReach } from '../rooms.ts'

interface Pattern {
  regex?: string
  group?: readonly string[]
  message: string
}

const frameworks = ['fastify', '@fastify/*', 'ws']
const disk = ['fs', 'fs/promises', 'node:fs', 'node:fs/promises']
const world = [
  'child_process',
  'cluster',
  'dgram',
  'dns',
  'dns/promises',
  'http',
  'http2',
  'https',
  'net',
  'os',
  'perf_hooks',
  'process',
  'readline',
  'timers',
  'timers/promises',
  'tls',
  'worker_threads',
].flatMap((name) => [name, `node:${name}`])

const globalsOfTheWorld = {
  Date: 'Time is told by the clock handed in, and written by core/time.ts.',
  performance: 'Time is told by the clock handed in.',
  setTimeout: 'Timers are handed in.',
  setInterval: 'Timers are handed in.',
  setImmediate: 'Timers are handed in.',
  queueMicrotask: 'Timers are handed in.',
  fetch: 'What leads out is handed in.',
  WebSocket: 'What leads out is handed in.',
  process: 'What it needs of the process is handed in.',
}

const entryNames = 'index|cli|testing|playwright|intercept'

/** The linter's fence around every room, as overrides of its configuration: one in each line. */
export function renderFence(): string {
  const overrides = [
    ...rooms.flatMap((room) => byDepth(room.name, 1, 3, (depth) => rulesOf(room, depth))),
    ...Object.entries(roomsOfHttp).flatMap(([name, neighbours]) => {
      const ownDepth = name.split('/').length + 1
      return byDepth(`http/${name}`, ownDepth, ownDepth + 1, (depth) =>
        rulesOf(roomNamed('http'), depth, neighbours),
      )
    }),
    {
      files: ['server/tools/**'],
      rules: rule([{ regex: String.raw`^(\.\./)+(${entryNames})\.ts$`, message: entriesMessage }]),
    },
  ]
  const lines = overrides.map((override) => JSON.stringify(override))
  return `{ "overrides": [\n${lines.join(',\n')}\n] }\n`
}

const layersMessage =
  'Imports point down the rooms of the server, as server/tools/rooms.ts lists them.'
const entriesMessage = 'Entries put the rooms together; no room knows them.'

function roomNamed(name: string): Room {
  const room = rooms.find((candidate) => candidate.name === name)
  if (room === undefined) throw new Error(`there is no room ${name}`)
  return room
}

/** The files of a folder by how deep they lie below server/: what `../..` means depends on it. */
function byDepth(folder: string, from: number, to: number, rules: (depth: number) => object) {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    files: [`server/${folder}/${'*/'.repeat(index)}*.ts`],
    rules: rules(from + index),
  }))
}

function rulesOf(room: Room, depth: number, neighbours: readonly string[] = []): object {
  const top = String.raw`^${String.raw`\.\./`.repeat(depth)}`
  const patterns: Pattern[] = [
    { regex: `${top}(${roomsOutOfReach(room).join('|')})/`, message: layersMessage },
    { regex: String.raw`${top}(${entryNames})\.ts$`, message: entriesMessage },
  ]
  if (neighbours.length > 0) {
    const names = neighbours.map((name) => (name === 'app' ? String.raw`app\.ts` : `${name}/`))
    const http = String.raw`^${String.raw`\.\./`.repeat(depth - 1)}`
    // A group of routes is one of several in a folder: `../oauth/` from there, too.
    const group = neighbours
      .filter((name) => name.startsWith('routes/'))
      .map((name) => name.slice(7))
    const routes = String.raw`^${String.raw`\.\./`.repeat(depth - 2)}`
    patterns.push({ regex: `${http}(${names.join('|')})`, message: neighboursMessage })
    if (group.length > 0) {
      patterns.push({ regex: `${routes}(${group.join('|')})/`, message: neighboursMessage })
    }
  }
  if (room.name === 'contract') {
    const message = 'The contract is shared with the browser: typebox and its own files only.'
    patterns.push({ group: ['*', '!typebox', '!./**', '!../**'], message })
  }
  return { ...rule([...patterns, ...withoutWorld(room)]), ...withoutGlobals(room) }
}

const neighboursMessage =
  'Within http, too, imports point one way: app, routes, then plugins and pages (server/tools/rooms.ts).'

function withoutWorld({ without }: Room): Pattern[] {
  switch (without) {
    case 'frameworks':
      return [{ group: frameworks, message: 'Only http, sandbox and state know the frameworks.' }]
    case 'frameworks and disk':
      return [{ group: [...frameworks, ...disk], message: 'It runs where there is neither.' }]
    case 'the world':
      return [
        {
          group: [...frameworks, ...disk, ...world, 'lowdb', 'lowdb/*'],
          message: 'The domain is plain functions: what they need of the world is handed in.',
        },
      ]
    default:
      return []
  }
}

function withoutGlobals({ without }: Room): object {
  if (without !== 'the world') return {}
  const globals = Object.entries(globalsOfTheWorld).map(([name, message]) => ({ name, message }))
  const idsMessage = 'Use the ids handed in.'
  return {
    'no-restricted-globals': ['error', ...globals],
    'no-restricted-properties': [
      'error',
      { object: 'Math', property: 'random', message: idsMessage },
      { object: 'crypto', property: 'randomUUID', message: idsMessage },
      { object: 'globalThis', message: 'What it needs of the world is handed in.' },
    ],
  }
}

function rule(patterns: readonly Pattern[]) {
  return { 'no-restricted-imports': ['error', { patterns }] }
}
