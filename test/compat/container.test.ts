import { once } from 'node:events'
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { flagList } from '../../server/contract/flags.ts'
import { usualPort } from '../../server/contract/usual-address.ts'
import { environmentName } from '../../server/core/flag-names.ts'
import {
  commandOf,
  isInContext,
  lastOf,
  pairsOf,
  parseDockerfile,
} from '../helpers/container/dockerfile.ts'
import {
  buildStandIn,
  checkHealth,
  obstacleToImages,
  runContainer,
  type StandInImage,
} from '../helpers/container/image.ts'
import { openPipeInstead } from '../helpers/open-pipe-instead.ts'
import { freePort } from '../helpers/free-port.ts'
import { npm, outputOf, root } from '../helpers/packed.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const source = read('.github/container/Dockerfile')
const ignore = read('.github/container/Dockerfile.dockerignore')
const health = '.github/container/health.mjs'
const stages = parseDockerfile(source)
const image = stages.at(-1)!

describe('the Dockerfile', () => {
  test('stands on exact versions of Node that the package runs on', () => {
    for (const { from } of stages) {
      const [, major = ''] =
        /^(?:--platform=\S+ )?node:(\d+)\.\d+\.\d+-bookworm-slim$/.exec(from) ?? []
      expect(Number(major)).toBeGreaterThanOrEqual(22)
    }
  })

  test('runs nothing where the image is made, so that it is made for every processor alike', () => {
    expect(image.instructions.filter(({ name }) => name === 'RUN')).toEqual([])
  })

  test('is for a user without rights, stopped as the command is, checked by itself', () => {
    expect(lastOf(image, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(lastOf(image, 'STOPSIGNAL')).toBe('SIGTERM')
    expect(commandOf(lastOf(image, 'HEALTHCHECK'))[0]).toBe('node')
    expect(commandOf(lastOf(image, 'ENTRYPOINT'))).toEqual(['hub-sandbox'])
    expect(commandOf(lastOf(image, 'CMD'))).toEqual(['start'])
    expect(lastOf(image, 'EXPOSE')).toBe(String(usualPort))
  })

  test('sets variables that the sandbox reads, and no secret', () => {
    const names = Object.keys(pairsOf(image, 'ENV'))
    const known = flagList.map(({ key }) => environmentName(key))
    const unknown = names.filter((name) => name.startsWith('HUB_SANDBOX_') && !known.includes(name))
    expect(unknown).toEqual([])
    const told = stages.flatMap(({ instructions }) => instructions)
    expect(
      told.filter(({ name }) => name === 'ARG' || name === 'ADD').map(({ text }) => text),
    ).toEqual(['VERSION=*'])
    expect(names.filter((name) => /token|secret|password/i.test(name))).toEqual([])
  })

  test('says of itself what the package does', () => {
    const { description, license, homepage } = JSON.parse(read('package.json')) as Record<
      string,
      string
    >
    expect(pairsOf(image, 'LABEL')).toEqual({
      'org.opencontainers.image.title': 'hub-sandbox',
      'org.opencontainers.image.description': description,
      'org.opencontainers.image.source': homepage,
      'org.opencontainers.image.licenses': license,
    })
  })

  test('is built from the tarball and the health check, and gets to see nothing else', () => {
    const copied = stages
      .flatMap(({ instructions }) => instructions)
      .filter(({ name, flags }) => name === 'COPY' && flags['from'] === undefined)
      .flatMap(({ text }) => text.split(' ').slice(0, -1))
    expect(copied).toEqual(['hub-sandbox-${VERSION}.tgz', health])
    const left = [...readdirSync(root), 'hub-sandbox-1.2.3.tgz', health, '.env', `${health}.key`]
    expect(left.filter((path) => isInContext(ignore, path))).toEqual([
      'hub-sandbox-1.2.3.tgz',
      health,
    ])
  })
})

// The image itself is built by CI, where there is an engine. What it would hold and do is tried here.
describe('what the image holds, run as a container would be', { timeout: 120_000 }, () => {
  let obstacle: string | undefined
  let folder: string
  let built: StandInImage

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-image-'))
    obstacle = obstacleToImages()
    if (obstacle !== undefined) return
    const context = join(folder, 'context')
    mkdirSync(join(context, '.github/container'), { recursive: true })
    copyFileSync(join(root, health), join(context, health))
    outputOf(npm(['pack', '--ignore-scripts', '--pack-destination', context], root))
    built = buildStandIn(source, context, join(folder, 'stages'))
    // As the engine marks its containers.
    writeFileSync(join(built.root, '.dockerenv'), '')
  }, 240_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  beforeEach(({ skip }) => skip(obstacle !== undefined, obstacle))

  test('is the version that was asked for, and none at random, where there are two tarballs', () => {
    const place = temporaryDirectory()
    const context = join(place, 'context')
    mkdirSync(join(context, '.github/container'), { recursive: true })
    copyFileSync(join(root, health), join(context, health))
    for (const version of ['1.0.0', '9.9.9']) {
      const source = join(place, version)
      mkdirSync(source)
      writeFileSync(join(source, 'package.json'), JSON.stringify({ name: 'hub-sandbox', version }))
      outputOf(npm(['pack', '--pack-destination', context], source))
    }
    const build = (args?: Record<string, string>) =>
      buildStandIn(source, context, mkdtempSync(join(place, 'stages-')), args)
    expect(build).toThrow(/2 tarballs .*: choose one by --build-arg VERSION=1\.2\.3/)
    const installed = join(build({ VERSION: '9.9.9' }).root, 'opt/hub-sandbox/lib/node_modules')
    const { version } = JSON.parse(
      readFileSync(join(installed, 'hub-sandbox/package.json'), 'utf8'),
    ) as { version: string }
    expect(version).toBe('9.9.9')
  })

  /** A container whose sandbox answers, at a port that nobody else has. */
  async function started(options: Parameters<typeof runContainer>[1] = {}) {
    const port = String(await freePort())
    const environment = { HUB_SANDBOX_PORT: port, ...options.environment }
    const container = runContainer(built, { ...options, environment })
    onTestFinished(async () => {
      container.signal('SIGKILL')
      await container.ended
    })
    await vi.waitFor(() => expect(container.output()).toContain('Set up a client'), 60_000)
    return { ...container, environment, url: `http://localhost:${port}` }
  }

  test('is reached from outside, by an issuer that a browser can open, its controls by a token only', async () => {
    const { url, output } = await started()
    const answer = await fetch(`${url}/.well-known/openid-configuration`)
    expect(await answer.json()).toMatchObject({ issuer: url, token_endpoint: `${url}/oauth/token` })
    expect((await fetch(`${url}/_sandbox/api/overview`)).status).toBe(401)
    const [, token = ''] = /Dashboard +\S+\/_sandbox\/\?token=(\S+)/.exec(output()) ?? []
    const authorization = { authorization: `Bearer ${token}` }
    const overview = await fetch(`${url}/_sandbox/api/overview`, { headers: authorization })
    expect(overview.status).toBe(200)
    expect(output()).toContain('in memory only')
  })

  test('is healthy while it answers, and ends with 0 when it is stopped', async () => {
    const { environment, signal, ended } = await started()
    expect(await checkHealth(built, environment)).toBe(0)
    signal('SIGTERM')
    expect((await ended).code).toBe(0)
    expect(await checkHealth(built, environment)).toBe(1)
  })

  test('is not healthy where something else answers', async () => {
    const server = createServer((_request, response) => response.end('<html>')).listen(
      0,
      '127.0.0.1',
    )
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect(await checkHealth(built, { HUB_SANDBOX_PORT: String(port) })).toBe(1)
  })

  test('is found healthy by HTTPS, and hands its certificate out by the volume', async () => {
    const volume = temporaryVolume()
    const { environment, output } = await started({
      environment: { HUB_SANDBOX_HTTPS: 'true' },
      volumes: { '/data': volume },
    })
    expect(output()).toContain('/data/hub-sandbox/certificate.pem')
    expect(await checkHealth(built, environment)).toBe(0)
    const { HUB_SANDBOX_HTTPS: _, ...plain } = environment as Record<string, string>
    expect(await checkHealth(built, plain)).toBe(1)
  })

  test.each([
    [
      ['start', '--https'],
      /^cannot keep the certificate of --https in \/data\/hub-sandbox: .*--data\.$/m,
    ],
    [['--data', '/data'], /^cannot use the data folder \/data: the disk is read-only/m],
    [['start', '--data', '/data', '--seed', 'x'], /--seed: must be a whole number/],
  ])('that lacks what it needs for %j says so and ends with 2', async (words, sentence) => {
    const { code, output } = await runContainer(built, { arguments: words }).ended
    expect(code).toBe(2)
    expect(output).toMatch(sentence)
    expect(output).not.toMatch(/^ {4}at /m)
  })

  test('that listens on its loopback says who cannot reach it', async () => {
    const { output } = await started({ environment: { HUB_SANDBOX_HOST: '127.0.0.1' } })
    expect(output()).toMatch(
      /^The sandbox listens on the loopback of this container.* --host 0\.0\.0\.0/m,
    )
  })

  test('whose start hangs is ended by a second signal, although nothing in it can kill the first process', async () => {
    const volume = temporaryVolume()
    writeFileSync(join(volume, 'journal-1.ndjson'), '')
    const hanging = runContainer(built, {
      arguments: ['--port', '0', '--data', '/data'],
      environment: {
        HUB_SANDBOX_EPHEMERAL: '',
        ...openPipeInstead('journal-1.ndjson', volume, '/data'),
      },
      volumes: { '/data': volume },
    })
    onTestFinished(() => hanging.signal('SIGKILL'))
    await vi.waitFor(() => expect(existsSync(join(volume, 'lock.json'))).toBe(true), 60_000)
    hanging.signal('SIGTERM')
    hanging.signal('SIGINT')
    expect((await hanging.ended).code).not.toBe(0)
  })

  test('goes on with its volume after it was killed', async () => {
    const options = {
      environment: { HUB_SANDBOX_EPHEMERAL: '', HUB_SANDBOX_SEED: '7' },
      volumes: { '/data': temporaryVolume() },
    }
    const keyOf = async (url: string) => (await fetch(`${url}/oauth/jwks`)).text()
    const first = await started(options)
    const key = await keyOf(first.url)
    first.signal('SIGKILL')
    await first.ended
    const second = await started(options)
    expect(await keyOf(second.url)).toBe(key)
    expect(second.output()).toContain('/data/hub-sandbox')
  })
})

function temporaryVolume(): string {
  const folder = temporaryDirectory()
  chownSync(folder, 1000, 1000)
  return folder
}
