import dns from 'node:dns'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { flagList } from '../../server/contract/flags.ts'
import { environmentName } from '../../server/core/flag-names.ts'
import { lastOf, pairsOf, parseDockerfile } from '../helpers/container/dockerfile.ts'
import { watchRun } from '../helpers/expect-silent.ts'
import { freePort } from '../helpers/free-port.ts'
import { root } from '../helpers/packed.ts'
import { recipe } from '../helpers/recipes/recipe.ts'
import { createWebUser } from '../helpers/recipes/web-user.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { bareEnvironment } from '../helpers/programs.ts'

type Values = Record<string, string>

interface Service {
  image: string
  command?: string
  ports: string[]
  environment: Values
  networks?: { default: { aliases: string[] } }
  depends_on?: Record<string, { condition: string }>
}

interface Compose {
  services: Record<'hub' | 'app', Service>
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const source = (name: string) => read(`test/recipes/compose/${name}`)
const image = parseDockerfile(read('.github/container/Dockerfile')).at(-1)!
const { version } = JSON.parse(read('package.json')) as { version: string }

const ways = {
  'one name for both': ['compose.yaml'],
  'a back channel': ['compose.yaml', 'compose.back-channel.yaml'],
} as const

/** As `docker compose` puts the files together, the last one first; the ports are others where they are told. */
function compose(files: readonly string[], ports: Values = {}): Compose {
  const [base, ...more] = files.map((name) => {
    const text = source(name).replaceAll(/\b(7420|3000)\b/g, (port) => ports[port] ?? port)
    return parse(text) as Compose
  })
  for (const { services } of more) {
    for (const name of ['hub', 'app'] as const) {
      Object.assign(base.services[name].environment, services[name].environment)
    }
  }
  return base
}

recipe(
  {
    folder: 'compose',
  },
  (stage) => {
    describe.each(Object.entries(ways))('with %s', (_way, files) => {
      test('takes the image of this version, with variables that it reads, at one port', () => {
        const { hub, app } = compose(files).services
        expect(hub.image).toBe(`ghcr.io/hub-sandbox/hub-sandbox:${version}`)
        const known = flagList.map(({ key }) => environmentName(key))
        expect(Object.keys(hub.environment).filter((name) => !known.includes(name))).toEqual([])
        const port = lastOf(image, 'EXPOSE')
        // On loopback: a hub whose tokens everybody knows is for nobody else.
        expect(hub.ports).toEqual([`127.0.0.1:${port}:${port}`])
        const addresses = [hub, app]
          .flatMap(({ environment }) => Object.values(environment))
          .filter((value) => /^https?:/.test(value))
        expect(new Set(addresses.map((address) => new URL(address).port))).toEqual(new Set([port]))
        expect(app.depends_on).toEqual({ hub: { condition: 'service_healthy' } })
      })

      test('signs in, each side by the names that it knows', async () => {
        const [hubPort, appPort] = [await freePort(), await freePort()].map(String) as [
          string,
          string,
        ]
        const { hub, app } = compose(files, { 7420: hubPort, 3000: appPort }).services
        const { HUB_SANDBOX_BASE_URL: baseUrl = '' } = hub.environment
        await startHub({ ...hub.environment, HUB_SANDBOX_PORT: hubPort })
        const names = ['hub', ...(hub.networks?.default.aliases ?? [])]
        const said = await startApp(stage.folder, names, { ...app.environment, PORT: appPort })
        expect(said()).toContain(`the issuer is ${baseUrl}\n`)

        resolveAsBrowser()
        const alice = createWebUser({ sandboxUrl: baseUrl, username: 'alice', decision: 'approve' })
        const page = await alice.open(`http://localhost:${appPort}`)
        expect(page.text).toBe('Signed in as alice')
        expect(page.url.port).toBe(appPort)
      })
    })

    test('has the back channel where the app runs curl or git, which never look up *.localhost', () => {
      const programs = (files: readonly string[]) =>
        new URL(compose(files).services.app.environment['OPENID_PROVIDER_URL'] ?? '').hostname
      expect(programs(ways['one name for both'])).toBe('hub.localhost')
      expect(programs(ways['a back channel'])).toBe('hub')
      expect(source('compose.yaml')).toMatch(/curl and git [^]*add compose\.back-channel\.yaml/)
    })

    test('needs the back channel where the app has a name of its own', async () => {
      const [hubPort, appPort] = [await freePort(), await freePort()].map(String) as [
        string,
        string,
      ]
      const { hub, app } = compose(ways['a back channel'], {
        7420: hubPort,
        3000: appPort,
      }).services
      const { HUB_SANDBOX_BACK_CHANNEL_URL: _, ...environment } = hub.environment
      await startHub({ ...environment, HUB_SANDBOX_PORT: hubPort })
      const starting = startApp(stage.folder, ['hub'], { ...app.environment, PORT: appPort })
      await expect(starting).rejects.toThrow(/answered 403: .*--back-channel-url http:\/\/hub:/)
    })
  },
)

/** The container of the hub but for its walls: what the image runs, with its variables and those of the service. */
async function startHub(environment: Values): Promise<void> {
  const { PATH: _, XDG_DATA_HOME: __, ...ofImage } = pairsOf(image, 'ENV')
  const watched = watchRun(temporaryDirectory(), [])
  // Runs after the sandbox has ended, with which it writes its report.
  onTestFinished(watched.expectSilent)
  const command = [join(root, 'dist/server/cli.cjs'), 'start', ...watched.flags]
  await startProgram(command, root, { ...ofImage, ...environment }, /Set up a client/)
}

/** The container of the app: it finds the hub by the names it has in its network, and not as this machine. */
function startApp(folder: string, names: readonly string[], environment: Values) {
  const hosts = join(folder, 'hosts.mjs')
  writeFileSync(
    hosts,
    `import dns from 'node:dns'
    const { lookup } = dns
    dns.lookup = (name, options, done) =>
      ${JSON.stringify(names)}.includes(name)
        ? lookup('127.0.0.1', options, done)
        : done(new Error('the network has no ' + name))`,
  )
  return startProgram(['--import', hosts, 'server.js'], folder, environment, /the issuer is/)
}

async function startProgram(
  command: readonly string[],
  folder: string,
  environment: Values,
  ready: RegExp,
): Promise<() => string> {
  const child: ChildProcess = spawn(process.execPath, command, {
    cwd: folder,
    env: bareEnvironment(environment),
  })
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  const early = ended.then(() => Promise.reject(new Error(said)))
  const serving = vi.waitFor(() => expect(said).toMatch(ready), { timeout: 60_000 })
  await Promise.race([serving, early])
  return () => said
}

/** Any name below `localhost` is this machine (RFC 6761 §6.3), as browsers have it and resolvers often do not. */
function resolveAsBrowser(): void {
  const { lookup } = dns
  const spy = vi.spyOn(dns, 'lookup') as unknown as {
    mockImplementation(made: (name: string, ...rest: unknown[]) => unknown): void
    mockRestore(): void
  }
  const real = lookup as unknown as (name: string, ...rest: unknown[]) => unknown
  spy.mockImplementation((name, ...rest) =>
    real(name.endsWith('.localhost') ? 'localhost' : name, ...rest),
  )
  onTestFinished(() => spy.mockRestore())
}
