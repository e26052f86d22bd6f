import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandLineWorld } from '../helpers/command-line.ts'
import { root } from '../helpers/packed.ts'

const patience = 60_000

describe('docs', { timeout: patience }, () => {
  const { run } = commandLineWorld()

  test('lists the pages, one per line', async () => {
    const { code, stdout } = await run(['docs']).ended
    expect(code).toBe(0)
    expect(stdout).toMatch(/^commands +Command line$/m)
    expect(stdout).toMatch(/^readme +hub-sandbox$/m)
    const names = stdout.match(/^\S+/gm)
    expect(names).toEqual(expect.arrayContaining(['advice', 'handle', 'python', 'state']))
    expect(stdout).not.toContain('pytest')
  })

  test('prints a page, or the page of a sample', async () => {
    const page = await run(['docs', 'commands']).ended
    expect(page.stdout).toBe(readFileSync(join(root, 'server/cli/README.md'), 'utf8'))
    const sample = await run(['docs', 'hono']).ended
    expect(sample.stdout).toBe(readFileSync(join(root, 'test/recipes/hono/README.md'), 'utf8'))
  })

  test('suggests a page for an unknown name', async () => {
    const { code, stdout, stderr } = await run(['docs', 'comands']).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('Unknown page comands (did you mean "commands"?)')
  })

  test('completes the names of pages', async () => {
    const { stdout } = await run(['__complete', '--', 'docs', 'comm']).ended
    expect(stdout).toBe('commands\n')
  })
})

describe('init --sample', { timeout: patience }, () => {
  const { folder, run } = commandLineWorld()
  const manifestOf = (path: string) =>
    JSON.parse(readFileSync(join(folder(), path, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>
    }

  test('lists the samples without a name', async () => {
    const { code, stdout } = await run(['init', '--sample']).ended
    expect(code).toBe(0)
    expect(stdout).toMatch(/^pytest +How do I test .* with pytest\?$/m)
    expect(stdout).toMatch(/^hono +How do I /m)
    const { stdout: json } = await run(['init', '--sample', '--json']).ended
    const items = JSON.parse(json) as { name: string }[]
    const folders = ['kits', 'recipes'].flatMap((kind) =>
      readdirSync(join(root, 'test', kind), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name),
    )
    expect(items.map(({ name }) => name).toSorted()).toEqual(folders.toSorted())
    expect(readdirSync(folder())).toEqual([])
  })

  test('copies a project, which installs this package, and prints its commands', async () => {
    const { code, stdout, stderr } = await run(['init', '--sample', 'hono']).ended
    expect(code).toBe(0)
    expect(stderr).toContain('Wrote 4 files to hono: .npmrc, README.md, package.json, server.js')
    expect(stdout).toMatch(/^cd hono\nnpm install\nnode \S+ exec -- npm start\n$/)
    const source = readFileSync(join(root, 'test/recipes/hono/server.js'), 'utf8')
    expect(readFileSync(join(folder(), 'hono/server.js'), 'utf8')).toBe(source)
    const own = manifestOf('hono').devDependencies['hub-sandbox']
    expect(own).toBe(`file:${root.replace(/\/$/, '')}`)
  })

  test('copies into a named folder, files that begin with a dot too', async () => {
    await run(['init', '--sample', 'gitlab-ci', 'a folder']).ended
    expect(existsSync(join(folder(), 'a folder/.gitlab-ci.yml'))).toBe(true)
  })

  test('overwrites nothing, and names the files that exist', async () => {
    writeFileSync(join(folder(), 'app.py'), 'mine')
    const { code, stderr } = await run(['init', '--sample', 'pytest', '.']).ended
    expect(code).toBe(2)
    expect(stderr).toContain('already has app.py')
    expect(readdirSync(folder())).toEqual(['app.py'])
    expect(readFileSync(join(folder(), 'app.py'), 'utf8')).toBe('mine')
  })

  test('suggests a sample for an unknown name', async () => {
    const { code, stderr } = await run(['init', '--sample', 'pytst']).ended
    expect(code).toBe(1)
    expect(stderr).toContain('Unknown sample pytst (did you mean "pytest"?)')
  })

  test('completes the names of samples', async () => {
    const { stdout } = await run(['__complete', '--', 'init', '--sample', 'go']).ended
    expect(stdout).toBe('go\ngo-oauth2\n')
  })
})
