import type { UserList } from '../../server/contract/control-accounts.ts'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandLineWorld } from '../helpers/command-line.ts'
import { printed } from '../helpers/printed.ts'
import { controlAt } from '../helpers/sandbox.ts'

/** Each test runs several programs. */
const patience = 120_000

const { folder, run, start } = commandLineWorld()

const fixturesOf = (username: string) => JSON.stringify({ users: [{ username }] })

/** Makes the folder of a project whose fixtures have one user. */
function project(name: string, username: string): string {
  const path = join(folder(), name)
  mkdirSync(path)
  writeFileSync(join(path, 'hub-sandbox.json'), fixturesOf(username))
  return path
}

async function usersSeenIn(cwd: string): Promise<string[]> {
  const { stdout } = await run(['snapshot', 'export'], {}, cwd).ended
  const { users } = JSON.parse(stdout) as { users: { username: string }[] }
  return users.map(({ username }) => username)
}

const usersOf = async (url: string) =>
  (await controlAt(url).get<UserList>('users')).body.items.map(({ username }) => username)

describe('projects', { timeout: patience }, () => {
  test('each fixtures file has its own state, and its commands find its own sandbox', async () => {
    const [ofAnn, ofBen] = [project('one', 'ann'), project('two', 'ben')]
    const one = await start([], {}, ofAnn)
    const two = await start([], {}, ofBen)
    expect(await usersSeenIn(ofAnn)).toEqual(['ann'])
    expect(await usersSeenIn(ofBen)).toEqual(['ben'])
    expect(await usersSeenIn(folder())).toEqual(['ben'])

    const common = await start([])
    expect(await usersSeenIn(folder())).toContain('alice')
    expect(await usersSeenIn(ofAnn)).toEqual(['ann'])
    common.child.kill('SIGTERM')
    two.child.kill('SIGTERM')
    expect((await two.ended).stderr).toMatch(/^hub-sandbox \S+ with hub-sandbox\.json\n/)
    await common.ended
    // Another project's sandbox would be the wrong one.
    expect((await run(['status'], {}, ofBen).ended).code).toBe(1)
    expect(await usersSeenIn(folder())).toEqual(['ann'])
    one.child.kill('SIGTERM')
    await one.ended
  })

  test('the first line names the stored state that a later start serves', async () => {
    const path = project('again', 'ann')
    const first = await start([], {}, path)
    // Nothing is saved at a kill: the state is in the journal alone.
    first.child.kill('SIGKILL')
    await first.ended
    const second = await start([], {}, path)
    second.child.kill('SIGTERM')
    const { stderr } = await second.ended
    const data = join(folder(), 'hub-sandbox', 'projects', 'again-')
    const [line = ''] = stderr.split('\n')
    expect(line).toMatch(/ with hub-sandbox\.json, from the state stored in \S+-[0-9a-f]{12}$/)
    expect(line).toContain(data)
    const emptied = await start(['--reset'], {}, path)
    emptied.child.kill('SIGTERM')
    expect((await emptied.ended).stderr).toMatch(/^hub-sandbox \S+ with hub-sandbox\.json\n/)
  })

  test('all share one certificate, which their commands name', async () => {
    const path = project('secure', 'ann')
    const running = await start(['--https'], {}, path)
    const env = await run(['env', '--json'], {}, path).ended
    expect(JSON.parse(env.stdout)).toMatchObject({
      NODE_EXTRA_CA_CERTS: join(folder(), 'hub-sandbox', 'certificate.pem'),
    })
    running.child.kill('SIGTERM')
    await running.ended
  })
})

describe('start --watch', { timeout: patience }, () => {
  test('loads an edited or replaced file again, and keeps its state at a mistake', async () => {
    const path = project('watched', 'ann')
    const file = join(path, 'hub-sandbox.json')
    const running = await start(['--watch'], {}, path)
    const { url } = running.sandbox
    await controlAt(url).post('users', { username: 'made-by-hand' })

    let next = printed(running, /Loaded .*hub-sandbox\.json again\./)
    writeFileSync(file, fixturesOf('ben'))
    await next
    expect(await usersOf(url)).toEqual(['ben'])

    next = printed(running, /users\[0\].*\n.*keeps its state until the file is corrected/s)
    writeFileSync(file, '{"users":[{"name":"zoe"}]}')
    await next
    expect(await usersOf(url)).toEqual(['ben'])

    next = printed(running, /Loaded .* again\.\nIts "config" applies from the next start\./)
    const other = join(path, 'other.json')
    writeFileSync(other, '{"users":[{"username":"yan"}],"config":{"logLevel":"info"}}')
    renameSync(other, file)
    await next
    expect(await usersOf(url)).toEqual(['yan'])

    await controlAt(url).delete('users/yan')
    expect(await run(['reset'], {}, path).ended).toMatchObject({ code: 0 })
    expect(await usersOf(url)).toEqual(['yan'])

    running.child.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 0 })
    const again = await start([], {}, path)
    expect(await usersOf(again.sandbox.url)).toEqual(['yan'])
    again.child.kill('SIGTERM')
    expect((await again.ended).stderr).not.toContain('have changed')
  })

  test('needs a fixtures file', async () => {
    const { code, stderr } = await run(['start', '--port', '0', '--watch']).ended
    expect(stderr).toContain('--watch: needs a fixtures file: name it with --fixtures')
    expect(code).toBe(2)
  })
})
