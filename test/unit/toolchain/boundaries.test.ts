import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rooms } from '../../../server/tools/rooms.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Writes the files below a folder of their own, beside a copy of the given configuration. */
function plant(files: Record<string, string>, ...configs: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-boundaries-'))
  for (const config of configs) {
    mkdirSync(dirname(join(folder, config)), { recursive: true })
    cpSync(join(root, config), join(folder, config))
  }
  for (const [path, code] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), code)
  }
  return folder
}

type Planted = [path: string, code: string]

/** Every room with the room above it. */
const neighbours = rooms.slice(1).map((room, index) => ({ room, above: rooms[index]! }))

/** Imports of the room above as a value, as a type and from a folder within, and of an entry. */
const upward = neighbours.flatMap(({ room: { name }, above }): Planted[] => [
  [`server/${name}/up.ts`, `export { thing } from '../${above.name}/thing.ts'`],
  [`server/${name}/up-type.ts`, `export type { Thing } from '../${above.name}/thing.ts'`],
  [`server/${name}/within/up.ts`, `export { thing } from '../../${above.name}/thing.ts'`],
  [`server/${name}/up-entry.ts`, `export type { Thing } from '../index.ts'`],
])
const downward = neighbours
  .filter(({ room, above }) => above.only?.includes(room.name) ?? true)
  .map(({ room, above }): Planted => [
    `server/${above.name}/down.ts`,
    `export { thing } from '../${room.name}/thing.ts'`,
  ])

describe('layers, as the linter keeps them', () => {
  const refused: Planted[] = [
    ['server/contract/a.ts', `export { type } from 'node:os'`],
    ['server/contract/fixtures/a.ts', `export { token } from '../../core/ids.ts'`],
    ['server/hub/oauth/a.ts', `export { fastify } from 'fastify'`],
    ['server/hub/oauth/grants/a.ts', `export { readFile } from 'node:fs/promises'`],
    ['server/hub/oauth/b.ts', `export { get } from 'node:http'`],
    ['server/hub/jobs/a.ts', `export { spawn } from 'node:child_process'`],
    ['server/hub/webhooks/a.ts', `export { fastifyStatic } from '@fastify/static'`],
    ['server/hub/webhooks/b.ts', `export { connect } from 'node:net'`],
    ['server/hub/a.ts', `export { Low } from 'lowdb'`],
    ['server/hub/git/a.ts', `export { fastify } from 'fastify'`],
    ['server/lab/clock/a.ts', `export { fastify } from 'fastify'`],
    ['server/inspect/flows/a.ts', `export { fastify } from 'fastify'`],
    ['server/lab/audit/a.ts', `export { fastify } from 'fastify'`],
    ['server/lab/audit/app/modules/token/a.ts', `export const now = () => Date.now()`],
    ['server/receiver/a.ts', `export { readFileSync } from 'node:fs'`],
    ['server/core/a.ts', `export { fastify } from 'fastify'`],
    ['server/hub/oauth/now.ts', `export const now = () => Date.now()`],
    ['server/hub/oauth/grants/now.ts', `export const now = () => new Date()`],
    ['server/hub/jobs/now.ts', `export const now = () => performance.now()`],
    ['server/hub/random.ts', `export const random = () => Math.random()`],
    ['server/hub/webhooks/wait.ts', `export const wait = () => setTimeout(String, 1)`],
    ['server/hub/webhooks/soon.ts', `export const soon = () => setImmediate(String)`],
    ['server/hub/webhooks/send.ts', `export const send = () => fetch('http://localhost')`],
    ['server/store/wait.ts', `export const wait = () => setTimeout(String, 1)`],
    ['server/app/wait.ts', `export { setTimeout } from 'node:timers/promises'`],
    ['server/web/url.ts', `export const url = (name: string) => encodeURIComponent(name)`],
    ['server/hub/env.ts', `export const env = () => process.env`],
    ['server/web/plugins/a.ts', `export type { Base } from '../base-app.ts'`],
    ['server/hub/http/a.ts', `export { layout } from '../pages/layout.ts'`],
    ['server/hub/files/a.ts', `export { createRepo } from '../repos/repos.ts'`],
    ['server/hub/files/b.ts', `export { control } from '../../lab/control/routes.ts'`],
    ['server/hub/files/routes.ts', `export { control } from '../../lab/control/routes.ts'`],
    ['server/hub/jobs/b.ts', `export type { Draft } from '../uploads/receive.ts'`],
    ['server/hub/webhooks/publish/a.ts', `export { engine } from '../engine/engine.ts'`],
    ['server/hub/xet/a.ts', `export { token } from '../oauth/tokens.ts'`],
    ['server/lab/triggers/a.ts', `export { addFault } from '../faults/faults.ts'`],
    ['server/lab/checks/a.ts', `export { addFault } from '../faults/faults.ts'`],
    ['server/lab/demos/a.ts', `export { createRepo } from '../../hub/repos/repos.ts'`],
    ['server/lab/demos/b.ts', `export { offer } from '../fixes/offer.ts'`],
    ['server/cli/code-cache/a.ts', `export { parse } from '../arguments.ts'`],
    ['server/cli/code-cache/b.ts', `export { resolve } from '../../app/config/resolve.ts'`],
    ['server/tools/a.ts', `export { startSandbox } from '../index.ts'`],
    ['renderer/app/a.ts', `export { startSandbox } from '../../server/index.ts'`],
    ['renderer/features/users/a.ts', `export type { State } from '../../../server/store/state.ts'`],
    ['renderer/features/users/b.ts', `export { list } from '../clients/list.ts'`],
    ['renderer/features/users/api/a.ts', `export { list } from '../../clients/list.ts'`],
    [
      'renderer/features/users/api/b.ts',
      `export { list } from '../../../features/clients/list.ts'`,
    ],
    [
      'renderer/features/users/detail/diagram/a.ts',
      `export { list } from '../../../clients/list.ts'`,
    ],
    ['renderer/features/users/model/a.ts', `export type { Row } from '../list/row.ts'`],
    ['renderer/shared/a.ts', `export { list } from '../features/clients/list.ts'`],
    ['renderer/ui/a.ts', `export { get } from '../api/client.ts'`],
    ['renderer/ui/b.ts', `export { row } from '../shared/row.ts'`],
    ['renderer/ui/c.ts', `export type { User } from '../../server/contract/hub.ts'`],
    ['renderer/lib/a.ts', `export type { IconName } from '../ui/icon.ts'`],
    ['renderer/api/b.ts', `export { row } from '../shared/row.ts'`],
    ['renderer/api/a.ts', `export { routes } from '../app/routes.ts'`],
  ]
  const allowed: Planted[] = [
    ['server/contract/ok.ts', `export { Type } from 'typebox'\nexport { live } from './live.ts'`],
    [
      'server/hub/oauth/ok.ts',
      `export { createHash } from 'node:crypto'\nexport { ok } from '../files/ok.ts'`,
    ],
    [
      'server/hub/pages/ok.ts',
      `export { readFile } from 'node:fs/promises'\nexport const now = Date.now()`,
    ],
    ['server/hub/files/download-routes.ts', `export { fastify } from 'fastify'`],
    ['server/hub/oauth/key-control.ts', `export { layout } from '../pages/layout.ts'`],
    ['server/hub/repos/ok.ts', `export { writeCommit } from '../files/git-objects.ts'`],
    ['server/hub/webhooks/engine/ok.ts', `export { match } from '../publish/match.ts'`],
    ['server/lab/audit/routes.ts', `export { fastify } from 'fastify'`],
    ['server/lab/fixes/ok.ts', `export { moveClock } from '../clock/move-clock.ts'`],
    ['server/lab/demos/ok.ts', `export { scene } from './scene.ts'`],
    ['server/receiver/adapters/ok.ts', `export { receiver } from '../index.ts'`],
    ['server/contract/fixtures/ok.ts', `export { words } from '../words.ts'`],
    ['renderer/app/ok.ts', `export type { User } from '../../server/contract/hub.ts'`],
    ['renderer/features/users/ok.ts', `export { get } from '../../api/client.ts'`],
    ['renderer/features/users/model/ok.ts', `export type { Icon } from '../../../ui/icon.ts'`],
    ['renderer/features/users/list/ok.ts', `export { User } from '../detail/user.ts'`],
    ['renderer/features/users/detail/ok.ts', `export { get } from '../../../api/client.ts'`],
    ['renderer/features/users/detail/diagram/ok.ts', `export { get } from '../../model/get.ts'`],
    ['renderer/shared/ok.ts', `export { get } from '../api/client.ts'`],
    ['renderer/ui/ok.ts', `export { format } from '../lib/format.ts'`],
  ]
  const folder = plant(
    Object.fromEntries([...refused, ...allowed, ...upward, ...downward]),
    'server/tools/fence.json',
  )
  const refusals = new Map<string, string[]>()

  beforeAll(() => {
    const config = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')) as object
    // The planted files belong to no TypeScript project; the import rules need none.
    const untyped = { ...config, options: { typeAware: false } }
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(untyped))
    const oxlint = join(root, 'node_modules/oxlint/bin/oxlint')
    const { stdout } = spawnSync(process.execPath, [oxlint, '--format=json'], {
      cwd: folder,
      encoding: 'utf8',
    })
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { filename: string; code: string }[]
    }
    for (const { filename, code } of diagnostics) {
      if (!code.includes('no-restricted')) continue
      const path = filename.replaceAll('\\', '/')
      refusals.set(path, [...(refusals.get(path) ?? []), code])
    }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('a room imports no room above it and no entry', () => {
    expect(upward.filter(([path]) => !refusals.has(path))).toEqual([])
  })

  test('a room imports the room below it', () => {
    expect(downward.filter(([path]) => refusals.has(path))).toEqual([])
  })

  test('every folder of the server is a room', () => {
    const folders = readdirSync(join(root, 'server'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
    expect(folders.toSorted()).toEqual([...rooms.map(({ name }) => name), 'tools'].toSorted())
  })

  test.each(refused)('%s may not %s', (path) => {
    expect(refusals.get(path)).toHaveLength(1)
  })

  test.each(allowed)('%s may %s', (path) => {
    expect(refusals.get(path)).toBeUndefined()
  })
})

describe('projects, as the compiler keeps them', () => {
  test.each([
    ['renderer', 'renderer/main.ts', '../server/app.ts'],
    ['server/contract', 'server/contract/hub.ts', '../app.ts'],
  ])('%s does not see the inside of the server', (project, path, target) => {
    const folder = plant(
      {
        'server/app.ts': 'export interface App { close: () => void }\n',
        'server/contract/live.ts': 'export interface Live { seq: number }\n',
        [path]: `export type { App } from '${target}'\n`,
      },
      'tsconfig.json',
      'server/tsconfig.json',
      'server/contract/tsconfig.json',
      'renderer/tsconfig.json',
    )
    try {
      // A junction needs no rights of its own on Windows.
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
      const tsc = join(root, 'node_modules/typescript/bin/tsc')
      const { stdout } = spawnSync(process.execPath, [tsc, '-b', project, '--pretty', 'false'], {
        cwd: folder,
        encoding: 'utf8',
      })
      expect(stdout.match(/error TS\d+/g)).toEqual(['error TS6307'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
