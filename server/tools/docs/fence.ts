import { own } from '../../core/own.ts'
import {
  routeFiles,
  type InnerRoom,
  innerRooms,
  type Room,
  rooms,
  roomsOutOfReach,
} from '../rooms.ts'

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
  Date: 'Use the clock that is passed in, and core/time.ts to format.',
  performance: 'Use the clock that is passed in.',
  setTimeout: 'Use the timers that are passed in.',
  setInterval: 'Use the timers that are passed in.',
  setImmediate: 'Use the timers that are passed in.',
  queueMicrotask: 'Use the timers that are passed in.',
  fetch: 'Use the network functions that are passed in.',
  WebSocket: 'Use the network functions that are passed in.',
  process: 'Values of the process are passed in.',
}

const timersMessage = 'Import it from core/timers.ts: a test may have replaced the one of Node.'
const timers = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'performance',
]
const timerModules = ['timers', 'timers/promises', 'perf_hooks'].flatMap((name) => [
  name,
  `node:${name}`,
])
/** Rooms whose waits are not part of a sandbox inside a test. */
const withOwnTimers = new Set(['cli', 'receiver'])

const encodingMessage = 'Use core/encode-text.ts, which does not throw for half a character.'
/** Rooms that write text from outside into URLs. */
const withForeignText = new Set(['app', 'lab', 'fixtures', 'inspect', 'hub', 'web'])

const entryNames = 'index|cli|testing|playwright|intercept'

/** Builds the linter's fence around every room: overrides of its configuration, one a line. */
export function renderFence(): string {
  const overrides = [
    ...rooms.flatMap((room) => byDepth(room.name, 1, '*', (depth) => rulesOf(room, depth))),
    ...Object.keys(innerRooms).flatMap((path) => {
      const room = roomNamed(path.slice(0, path.indexOf('/')))
      const inner = innerRoomsOn(path)
      return byDepth(path, path.split('/').length, '*', (depth) => rulesOf(room, depth, inner))
    }),
    ...roomsWithRoutes.flatMap((name) =>
      byDepth(name, 1, `{${routeFiles.join(',')}}`, (depth) =>
        rulesOf(roomNamed(name), depth, [ofRouteFiles]),
      ),
    ),
    {
      files: ['server/tools/**'],
      rules: rule([{ regex: String.raw`^(\.\./)+(${entryNames})\.ts$`, message: entriesMessage }]),
    },
  ]
  const lines = overrides.map((override) => JSON.stringify(override))
  return `{ "overrides": [\n${lines.join(',\n')}\n] }\n`
}

/** Folders that a file is below `server/`, at most. */
function deepestOf(room: string): number {
  return room === 'lab' ? 5 : 3
}

/** Rooms whose folders have their own routes. */
const roomsWithRoutes = ['hub', 'lab']

const layersMessage = 'Imports point down the list of rooms in server/tools/rooms.ts.'
const entriesMessage = 'Entry files assemble the rooms; no room imports them.'

function roomNamed(name: string): Room {
  const room = rooms.find((candidate) => candidate.name === name)
  if (room === undefined) throw new Error(`there is no room ${name}`)
  return room
}

/** Files of a folder by their depth below server/, since the meaning of `../..` depends on it. */
function byDepth(folder: string, from: number, names: string, rules: (depth: number) => object) {
  const [room = '', ...inner] = folder.split('/')
  const ownDepth = inner.length + 1
  return Array.from({ length: deepestOf(room) - from + 1 }, (_, index) => ({
    files: [`server/${folder}/${'*/'.repeat(from + index - ownDepth)}${names}.ts`],
    rules: rules(from + index),
  }))
}

/** Rules of a folder inside a room. */
interface InnerRules {
  /** Folders of it below server/. */
  ownDepth: number
  rules: InnerRoom
}

const ofRouteFiles: InnerRules = { ownDepth: 1, rules: { not: [], without: 'nothing' } }

/** @param inner rules of the folders around a file, from the outermost one */
function rulesOf(room: Room, depth: number, inner: readonly InnerRules[] = []): object {
  const top = ups(depth)
  const { only, without = room.without } = inner.at(-1)?.rules ?? {}
  const outOfReach = roomsOutOfReach(only === undefined ? room : { name: room.name, only })
  const patterns: Pattern[] = [
    { regex: `${top}(${outOfReach.join('|')})/`, message: layersMessage },
    { regex: String.raw`${top}(${entryNames})\.ts$`, message: entriesMessage },
  ]
  if (only !== undefined) {
    patterns.push({ regex: `${ups(depth - 1)}[^.]`, message: neighboursMessage })
  }
  for (const { ownDepth, rules } of inner) {
    if (rules.not.length === 0) continue
    const regex = `${ups(depth - ownDepth + 1)}(${rules.not.join('|')})(/|\\.ts)`
    patterns.push({ regex, message: neighboursMessage })
  }
  if (room.name === 'contract') {
    const message = 'The contract is shared with the browser: typebox and its own files only.'
    patterns.push({ group: ['*', '!typebox', '!./**', '!../**'], message })
  }
  if (without !== 'the world' && !withOwnTimers.has(room.name)) {
    patterns.push({ group: timerModules, message: timersMessage })
  }
  return {
    ...rule([...patterns, ...modulesWithout(without)]),
    ...globalsWithout(room.name, without),
  }
}

/** Returns the rules of a folder and of those around it, from the outermost one. */
function innerRoomsOn(path: string): InnerRules[] {
  const names = path.split('/')
  return names.flatMap((_name, index) => {
    const rules = own(innerRooms, names.slice(0, index + 1).join('/'))
    return rules === undefined ? [] : [{ ownDepth: index + 1, rules }]
  })
}

/** Start of a relative import that leaves a number of folders. */
function ups(folders: number): string {
  return `^${String.raw`\.\./`.repeat(folders)}`
}

const neighboursMessage =
  'Imports inside a room point one way, too: see innerRooms in server/tools/rooms.ts.'

function modulesWithout(without: InnerRoom['without']): Pattern[] {
  switch (without) {
    case 'frameworks':
      return [{ group: frameworks, message: 'Only routes, hooks, web and app import frameworks.' }]
    case 'frameworks and disk':
      return [
        {
          group: [...frameworks, ...disk],
          message: 'The receiver runs without Node: no framework and no disk.',
        },
      ]
    case 'the world':
      return [
        {
          group: [...frameworks, ...disk, ...world, 'lowdb', 'lowdb/*'],
          message: 'The domain is plain functions: clock, ids, network and timers are passed in.',
        },
      ]
    default:
      return []
  }
}

function globalsWithout(room: string, without: InnerRoom['without']): object {
  const isPure = without === 'the world'
  const globals = [
    ...(isPure ? Object.entries(globalsOfTheWorld) : []),
    ...(isPure || withOwnTimers.has(room) ? [] : timers.map((name) => [name, timersMessage])),
    ...(withForeignText.has(room)
      ? ['encodeURI', 'encodeURIComponent'].map((name) => [name, encodingMessage])
      : []),
  ].map(([name, message]) => ({ name, message }))
  if (!isPure) {
    // A rule of its room must not go on for a folder that may do more.
    return {
      ...(globals.length === 0 ? { 'no-restricted-globals': 'off' } : restrictedGlobals(globals)),
      'no-restricted-properties': 'off',
    }
  }
  const idsMessage = 'Use the ids that are passed in.'
  return {
    ...restrictedGlobals(globals),
    'no-restricted-properties': [
      'error',
      { object: 'Math', property: 'random', message: idsMessage },
      { object: 'crypto', property: 'randomUUID', message: idsMessage },
      { object: 'globalThis', message: 'Values of the environment are passed in.' },
    ],
  }
}

function restrictedGlobals(globals: readonly object[]) {
  return { 'no-restricted-globals': ['error', ...globals] }
}

function rule(patterns: readonly Pattern[]) {
  return { 'no-restricted-imports': ['error', { patterns }] }
}
