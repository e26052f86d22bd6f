import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

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

describe('layers, as the linter keeps them', () => {
  const refused: [path: string, code: string][] = [
    ['server/contract/a.ts', `export { type } from 'node:os'`],
    ['server/contract/b.ts', `export { token } from '../oauth/token.ts'`],
    ['server/oauth/a.ts', `export { fastify } from 'fastify'`],
    ['server/oauth/grants/a.ts', `export { readFile } from 'node:fs/promises'`],
    ['server/webhooks/a.ts', `export { fastifyStatic } from '@fastify/static'`],
    ['server/webhooks/b.ts', `export { live } from '../routes/live.ts'`],
    ['server/hub/a.ts', `export { guard } from '../plugins/host-guard.ts'`],
    ['server/receiver/a.ts', `export { buildApp } from '../app.ts'`],
    ['server/receiver/b.ts', `export { readFileSync } from 'node:fs'`],
    ['server/oauth/now.ts', `export const now = () => Date.now()`],
    ['server/hub/random.ts', `export const random = () => Math.random()`],
    ['server/webhooks/wait.ts', `export const wait = () => setTimeout(String, 1)`],
    ['server/webhooks/send.ts', `export const send = () => fetch('http://localhost')`],
    ['renderer/app/a.ts', `export { startSandbox } from '../../server/index.ts'`],
    ['renderer/features/users/a.ts', `export type { State } from '../../../server/state/state.ts'`],
    ['renderer/features/users/b.ts', `export { list } from '../clients/list.ts'`],
    ['renderer/features/users/api/a.ts', `export { list } from '../../clients/list.ts'`],
    [
      'renderer/features/users/api/b.ts',
      `export { list } from '../../../features/clients/list.ts'`,
    ],
    ['renderer/components/a.ts', `export { list } from '../features/clients/list.ts'`],
    ['renderer/api/a.ts', `export { routes } from '../app/routes.ts'`],
  ]
  const allowed: [path: string, code: string][] = [
    ['server/contract/ok.ts', `export { Type } from 'typebox'\nexport { live } from './live.ts'`],
    [
      'server/oauth/ok.ts',
      `export { createHash } from 'node:crypto'\nexport { ok } from '../hub/ok.ts'`,
    ],
    [
      'server/routes/ok.ts',
      `export { readFile } from 'node:fs/promises'\nexport const now = Date.now()`,
    ],
    ['renderer/app/ok.ts', `export type { User } from '../../server/contract/hub.ts'`],
    ['renderer/features/users/ok.ts', `export { get } from '../../api/client.ts'`],
    ['renderer/features/users/api/ok.ts', `export { row } from '../components/row.ts'`],
    ['renderer/features/users/components/ok.ts', `export { get } from '../../../api/client.ts'`],
  ]
  const folder = plant(Object.fromEntries([...refused, ...allowed]))
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
