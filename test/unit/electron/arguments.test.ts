import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  fileSandboxOptions,
  ownDataFolder,
  ownSandboxOptions,
  readArguments,
} from '../../../electron/arguments.ts'
import { userDataFolder } from '../../../server/app/config/data-folder.ts'
import { resolveOptions } from '../../../server/app/config/resolve.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

const cwd = resolve('/home/alice')

describe('the command line of the desktop app', () => {
  test('has fixtures files among the switches of Electron and Chromium', () => {
    const argv = [
      'electron',
      '--inspect=0',
      '--remote-debugging-port=0',
      'dist/electron/main.js',
      '--original-process-start-time=13396',
      'team.hubsandbox',
      resolve('/tmp/Other.HubSandbox'),
      'notes.json',
    ]
    expect(readArguments(argv, cwd)).toEqual({
      files: [resolve(cwd, 'team.hubsandbox'), resolve('/tmp/Other.HubSandbox')],
      links: [],
      ephemeral: false,
    })
  })

  test('takes port, data folder and --ephemeral', () => {
    const given = readArguments(['app', '--port', '7500', '--data=state', '--ephemeral'], cwd)
    expect(given).toEqual({
      files: [],
      links: [],
      port: '7500',
      data: resolve(cwd, 'state'),
      ephemeral: true,
    })
    expect(ownSandboxOptions(given)).toEqual({ port: 7500, ephemeral: true })
    expect(ownDataFolder(given)).toBeUndefined()
  })

  test('ignores a flag whose value is missing', () => {
    expect(readArguments(['app', '--data'], cwd)).toEqual({
      files: [],
      links: [],
      ephemeral: false,
    })
  })

  test('accepts a link, and no arguments after it', () => {
    const argv = ['app', '--', 'hub-sandbox://tokens', '--data=/tmp', '--port=1', 'x.hubsandbox']
    expect(readArguments(argv, cwd)).toEqual({
      files: [],
      links: ['hub-sandbox://tokens'],
      ephemeral: false,
    })
    expect(readArguments(['app', 'hub-sandbox:tokens', '--port=1'], cwd)).not.toHaveProperty('port')
  })

  test('accepts options and files before a link', () => {
    const argv = ['app', '--port', '7000', '--data=state', 'a.hubsandbox', 'Hub-Sandbox://tokens']
    expect(readArguments(argv, cwd)).toEqual({
      files: [resolve(cwd, 'a.hubsandbox')],
      links: ['Hub-Sandbox://tokens'],
      port: '7000',
      data: resolve(cwd, 'state'),
      ephemeral: false,
    })
  })

  test('uses port and data folder of the command line by default', () => {
    const given = readArguments(['app'], cwd)
    expect(ownSandboxOptions(given)).toEqual({ port: 7420, data: userDataFolder() })
    expect(ownDataFolder(given)).toBe(userDataFolder())
  })

  test.each(['', 'seven', '70000', '-1'])('refuses the port %j by name', (port) => {
    const given = readArguments(['app', `--port=${port}`], cwd)
    expect(() => ownSandboxOptions(given)).toThrow(/--port: must be a whole number from 0 to 65535/)
  })
})

describe('an opened fixtures file', () => {
  /** Start options of the app for a file with this config. */
  async function open(config: object) {
    const file = join(temporaryDirectory(), 'stranger.hubsandbox')
    writeFileSync(file, JSON.stringify({ users: [{ username: 'mallory' }], config }))
    return resolveOptions(fileSandboxOptions(file))
  }

  test('stays in memory, on plain HTTP and unshared, whatever its config says', async () => {
    const options = await open({ ephemeral: false, https: true })
    expect(options.dataDirectory).toBeUndefined()
    expect(options).toMatchObject({ https: false, open: false, hostsAreDefault: true })
    expect(options.settings).toMatchObject({
      allowNetwork: false,
      allowHosts: [],
      allowOrigins: [],
    })
  })

  test('uses any free port unless it sets one', async () => {
    expect((await open({})).port).toBe(0)
    expect((await open({ port: 8123 })).port).toBe(8123)
  })

  test.each([
    { host: '0.0.0.0' },
    { baseUrl: 'https://example.com' },
    { data: '/' },
    { allowNetwork: true },
    { allowOrigin: 'https://example.com' },
    { runJobs: { '*': 'sh' } },
    { runJobsEnv: ['PATH'] },
  ])('is refused if it requests %j', async (config) => {
    const [key] = Object.keys(config)
    await expect(open(config)).rejects.toThrow(new RegExp(`config\\.${key}`))
  })
})
