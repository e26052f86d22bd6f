import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeBlocks } from '../helpers/documents.ts'
import { installPacked, npm, outputOf, root } from '../helpers/packed.ts'

const tsc = join(root, 'node_modules/typescript/bin/tsc')

let obstacle: string | undefined
let packed: readonly string[]
let folder: string

beforeAll(() => {
  ;({ obstacle, folder, files: packed } = installPacked())
}, 240_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(({ skip }) => skip(obstacle !== undefined, obstacle))

/** Compiles files as a project beside the installed package, with the libraries checked as well. */
function compile(files: Record<string, string>, options: Record<string, unknown>): string {
  const project = join(folder, 'project')
  mkdirSync(project)
  try {
    for (const [name, code] of Object.entries(files)) writeFileSync(join(project, name), code)
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      ...options,
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    return spawnSync(process.execPath, [tsc, '-p', project, '--pretty', 'false'], {
      cwd: project,
      encoding: 'utf8',
    }).stdout
  } finally {
    rmSync(project, { recursive: true })
  }
}

/** Lists the packed scripts whose text holds these words. */
const holding = (words: string) =>
  packed.filter(
    (path) => path.endsWith('js') && readFileSync(join(root, path), 'utf8').includes(words),
  )

const run = (command: readonly string[]) =>
  spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' })

const resolutions = [
  { module: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
] as const

// Each starts a compiler or npm.
describe('the package', { timeout: 60_000 }, () => {
  test('holds what runs, its types, the fixtures, its pages and samples', () => {
    const page = /^(electron|renderer|server|test\/bench)\/.*\.md$/
    const files = packed.filter((path) => !page.test(path))
    const places = new Set(files.map((path) => path.split('/').slice(0, 2).join('/')))
    expect([...places].toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY-NOTICES.md',
      'dist/bom.cdx.json',
      'dist/library',
      'dist/renderer',
      'dist/server',
      'dist/types',
      'fixtures/README.md',
      'fixtures/default.json',
      'fixtures/empty.json',
      'fixtures/fixtures.schema.json',
      'fixtures/webhooks.json',
      'package.json',
      'test/kits',
      'test/recipes',
    ])
    const internal = /\.tsbuildinfo$|\.map$|\.test\.|\/\.vite\//
    // Samples show tests, which are for those who take them.
    const ours = packed.filter((path) => !/^test\/(kits|recipes)\/[^/]+\//.test(path))
    expect(ours.filter((path) => internal.test(path))).toEqual([])
  })

  test('lists every bundled package, for readers and for audit tools', () => {
    const read = (path: string) =>
      readFileSync(join(folder, 'node_modules/hub-sandbox', path), 'utf8')
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>
    }
    const inBundle = packed
      .filter((path) => path.startsWith('dist/library') && path.endsWith('js'))
      .flatMap((path) => [...read(path).matchAll(/^\/\/ (node_modules\/(?:.*\/)?\S+)/gm)])
      .map(([, path = '']) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? '')
    const bundled = [...new Set(inBundle)].map((path) => {
      const name = path.replace(/^.*node_modules\//, '')
      return `${name}@${lock.packages[path]?.version}`
    })
    expect(bundled.length).toBeGreaterThan(50)

    const { components } = JSON.parse(read('dist/bom.cdx.json')) as {
      components: { group?: string; name: string; version: string }[]
    }
    const listed = components.map(({ group, name, version }) =>
      [...(group === undefined ? [] : [group]), `${name}@${version}`].join('/'),
    )
    expect(listed).toEqual(expect.arrayContaining(bundled))
    expect(listed).not.toContainEqual(expect.stringMatching(/^(vite|vitest|electron|glob)@/))

    const notices = read('dist/THIRD-PARTY-NOTICES.md')
    const headings = [...notices.matchAll(/^## (\S+) (\S+)$/gm)].map(
      ([, name, version]) => `${name}@${version}`,
    )
    expect(headings).toEqual(listed)
    expect(notices).toContain('Copyright (c) 2016-present The Fastify team')
    expect(notices).toContain('Copyright (c) Tailwind Labs')
  })

  // What a bundle takes from where is told by a comment each; all of it is read at a start.
  test('brings nothing that is never used', () => {
    const text = packed
      .filter((path) => path.startsWith('dist/library'))
      .map((path) => readFileSync(join(root, path), 'utf8'))
      .join('\n')
    const taken = new Set(
      [...text.matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm)].map(([, name = '']) => name),
    )
    expect(taken).toContain('fastify')
    const unused = ['@fastify/ajv-compiler', 'glob', 'minimatch', 'thread-stream']
    expect(unused.filter((name) => taken.has(name))).toEqual([])
  })

  test('has ajv beside the MCP server alone, which is read at its first request', () => {
    const server = holding('// node_modules/@modelcontextprotocol/sdk/dist/esm/server/index.js')
    expect(server).toHaveLength(1)
    expect(holding('// node_modules/ajv/')).toEqual(server)
  })

  test('holds the server once, for the library and for the command', () => {
    expect(holding('// node_modules/fastify/fastify.js')).toHaveLength(1)
    expect(holding('X509CertificateGenerator')).toEqual(['dist/library/self-signed.cjs'])
    const certificate = '-----BEGIN CERTIFICATE-----'

    writeFileSync(
      join(folder, 'https.js'),
      `import { startSandbox } from 'hub-sandbox'
       const sandbox = await startSandbox({ https: true, data: 'in-process' })
       console.log(sandbox.url)
       await sandbox.close()`,
    )
    expect(outputOf(run(['https.js']))).toMatch(/^https:/)
    expect(readFileSync(join(folder, 'in-process/certificate.pem'), 'utf8')).toContain(certificate)

    writeFileSync(
      join(folder, 'command.js'),
      `import { spawn } from 'node:child_process'
       const flags = ['--port', '0', '--https', '--data', 'by-command', '--json']
       const path = 'node_modules/hub-sandbox/dist/server/cli.cjs'
       const command = spawn(process.execPath, [path, 'start', ...flags])
       command.stderr.pipe(process.stderr)
       command.stdout.once('data', (line) => {
         console.log(JSON.parse(line).url)
         command.kill()
       })`,
    )
    expect(outputOf(run(['command.js']))).toMatch(/^https:/)
    expect(readFileSync(join(folder, 'by-command/certificate.pem'), 'utf8')).toContain(certificate)
  })

  test('installs nothing else', () => {
    const installed = readdirSync(join(folder, 'node_modules'))
    expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['hub-sandbox'])
  })

  test('has the command', () => {
    const help = outputOf(npm(['exec', '--offline', '--', 'hub-sandbox', '--help'], folder))
    expect(help).toContain('Usage: hub-sandbox')
  })

  test('starts a sandbox with its dashboard, and has the helpers', () => {
    writeFileSync(
      join(folder, 'use.js'),
      `import { startSandbox } from 'hub-sandbox'
       import { createWebhooks } from 'hub-sandbox/receiver'
       import { fixture, useSandbox } from 'hub-sandbox/testing'
       const sandbox = await startSandbox()
       const page = await fetch(sandbox.url + '/_sandbox/')
       const users = sandbox.fixtures.users.map(({ username }) => username)
       await sandbox.close()
       const scope = fixture('repo.create').event.scope
       console.log(JSON.stringify([page.status, users, scope, typeof createWebhooks, typeof useSandbox]))`,
    )
    const { stdout, stderr } = spawnSync(process.execPath, ['use.js'], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([
      200,
      ['alice', 'bob', 'carol', 'dave'],
      'repo',
      'function',
      'function',
    ])
  })

  test.each([
    ['--import', 'import { get } from "node:https"', 'asks.mjs'],
    ['--require', 'const { get } = require("node:https")', 'asks.cjs'],
  ])('leads a program to the sandbox: node %s hub-sandbox/intercept', (flag, begin, name) => {
    writeFileSync(
      join(folder, name),
      `${begin}
       get('https://hub.invalid').on('error', ({ message }) => console.log(message))`,
    )
    const program = spawnSync(process.execPath, [flag, 'hub-sandbox/intercept', name], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        HUB_SANDBOX_INTERCEPT: 'https://hub.invalid',
        HUB_SANDBOX_URL: 'http://localhost:9',
      },
    })
    expect(outputOf(program)).toContain('is rerouted to the sandbox at http://localhost:9')
  })

  test('fails readably: by the name of the class, at a line that can be read', () => {
    writeFileSync(
      join(folder, 'fail.js'),
      `import { startSandbox } from 'hub-sandbox'
       await startSandbox({ port: 'any', seed: 1.5 })`,
    )
    const { status, stderr } = spawnSync(process.execPath, ['fail.js'], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^ConfigError: /m)
    expect(stderr).toMatch(/at async .*fail\.js:2/)
    expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(250)
  })

  test.each(resolutions)('has types that stand alone: $module', (options) => {
    const files = Object.fromEntries(
      codeBlocks('ts').map(({ code }, index) => [`example-${index}.ts`, code]),
    )
    const testing = `import { useSandbox, webhookMatchers } from 'hub-sandbox/testing'
      const hub = useSandbox({ fixtures: { users: [{ username: 'alice' }] }, seed: 1 })
      export const token = (): Promise<string> => hub.sandbox.signIn().then(({ access_token }) => access_token)
      export { webhookMatchers }`
    expect(Object.keys(files).length).toBeGreaterThan(3)
    expect(compile({ ...files, 'testing.ts': testing }, options)).toBe('')
  })

  test('has types that refuse what is wrong', () => {
    const wrong = `import { startSandbox } from 'hub-sandbox'
      await startSandbox({ port: 'any' })`
    expect(compile({ 'wrong.ts': wrong }, resolutions[0])).toMatch(/^wrong\.ts\(2,.*error TS2322/)
  })

  test('joins the Playwright that its user has', () => {
    const link = join(folder, 'node_modules/@playwright')
    symlinkSync(join(root, 'node_modules/@playwright'), link, 'junction')
    try {
      const code = `import { expect, test } from 'hub-sandbox/playwright'
        test.use({ sandboxOptions: { seed: 1 } })
        test('signs in', async ({ page, sandbox, signInAs }) => {
          await signInAs('alice')
          await page.goto(sandbox.url)
          await expect(page).toHaveURL(/_sandbox/)
        })`
      expect(compile({ 'a.spec.ts': code }, { ...resolutions[0], skipLibCheck: true })).toBe('')
    } finally {
      rmSync(link)
    }
  })
})
