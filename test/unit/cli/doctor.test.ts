import { X509Certificate } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { judgeCertificate } from '../../../server/cli/doctor/check-certificate.ts'
import {
  checkEndpoint,
  checkHubCache,
  checkToken,
} from '../../../server/cli/doctor/check-environment.ts'
import { checkLocalhostNames, checkNode } from '../../../server/cli/doctor/check-machine.ts'
import { checkProxies, spares } from '../../../server/cli/doctor/check-proxies.ts'
import { checkXet, findXet } from '../../../server/cli/doctor/check-xet.ts'
import { listeningInodes, listeningProcess } from '../../../server/cli/doctor/who-listens.ts'
import { clientVariables } from '../../../server/contract/client-settings.ts'
import { generate } from '../../../server/app/self-signed.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

const url = 'http://localhost:7420'
const commandFor = (...words: string[]) => ['hub-sandbox', ...words].join(' ')

describe('names that end in .localhost (RFC 6761 §6.3)', () => {
  const own = 'http://hub.localhost:7420'
  const check = (urls: string[], addresses?: string[]) =>
    checkLocalhostNames(urls, () =>
      addresses === undefined ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve(addresses),
    )

  test.each([
    ['that no resolver knows', undefined, 'fail', 'but not in other programs'],
    ['that a network of containers has as an alias', ['172.18.0.2'], 'fail', 'but curl and git'],
    ['that are this machine', ['127.0.0.1', '::1'], 'ok', 'as browsers, curl and git assume'],
  ])('are checked if programs know the sandbox by the names %s', async (_, found, level, text) => {
    const findings = await check([own], found)
    expect(findings).toMatchObject([{ level, text: expect.stringContaining(text) as string }])
    expect(findings[0]?.fix?.includes('--back-channel-url') ?? false).toBe(level === 'fail')
  })

  test('are fine beside a back channel of another name, and localhost is not one of them', async () => {
    expect(await check([own, 'http://hub:7420'])).toEqual([])
    expect(await check(['http://localhost:7420'])).toEqual([])
    expect(await check([own, 'http://api.localhost:7420'])).toHaveLength(2)
  })
})

describe('doctor: environment', () => {
  test('reports no problem with the output of env', async () => {
    const env = { ...clientVariables({ url }), HF_TOKEN: 'hf_sandbox_alice' }
    const findings = [
      checkEndpoint([url], env, commandFor),
      ...(await checkToken(env, commandFor)),
      checkXet(env, 'xet', true),
      ...checkProxies([url], env),
    ]
    expect(findings.map(({ level }) => level)).toEqual(['ok', 'ok'])
  })

  test.each([
    [{}, 'fail'],
    [{ HF_ENDPOINT: 'https://elsewhere.test' }, 'fail'],
    [{ HF_ENDPOINT: 'http://hub:7420' }, 'ok'],
    [{ HF_ENDPOINT: 'http://hub:7420/' }, 'note'],
    [{ HF_ENDPOINT: 'http://hub:7420/api' }, 'fail'],
    [{ HF_ENDPOINT: 'https://hub:7420' }, 'fail'],
  ])('reports the host of %j, with the command that fixes it', (env, level) => {
    const found = checkEndpoint([url, 'http://hub:7420'], env, commandFor)
    expect(found.level).toBe(level)
    expect(found.fix).toBe(level === 'ok' ? undefined : 'eval "$(hub-sandbox env)"')
  })

  test('finds a token of the real hub in the variables and in the stored login', async () => {
    const folder = temporaryDirectory()
    const env = { HF_HOME: folder }
    expect(await checkToken(env, commandFor)).toEqual([])
    const [given] = await checkToken({ ...env, HF_TOKEN: 'hf_abcdef' }, commandFor)
    expect(given).toMatchObject({ level: 'fail' })
    writeFileSync(join(folder, 'token'), 'hf_abcdef\n')
    const [stored] = await checkToken(env, commandFor)
    expect(stored).toMatchObject({ level: 'note' })
    expect(JSON.stringify([given, stored])).not.toContain('hf_abcdef')
    expect(await checkToken({ ...env, HF_TOKEN: 'hf_sandbox_bob' }, commandFor)).toEqual([])
  })

  test('names the cache of the clients in this shell, and notes a shared one', () => {
    const shared = checkHubCache({ HF_HOME: '/home/ada/hf' }, commandFor)
    expect(shared).toMatchObject({ level: 'note', fix: expect.stringContaining('env') })
    expect(shared.text).toContain('/home/ada/hf')
    const own = '/home/ada/.cache/hub-sandbox/huggingface/7420/hub'
    expect(checkHubCache({ HF_HUB_CACHE: own }, commandFor)).toMatchObject({
      level: 'ok',
      text: expect.stringContaining(own),
    })
  })

  test('reports Xet as a problem only if it is installed, for a sandbox without it', () => {
    expect(checkXet({}, 'lfs', true).level).toBe('fail')
    expect(checkXet({}, 'lfs', false).level).toBe('note')
    expect(checkXet({ HF_HUB_DISABLE_XET: '0' }, 'lfs', true).level).toBe('fail')
    expect(checkXet({ HF_HUB_DISABLE_XET: 'YES' }, 'lfs', true).level).toBe('ok')
    expect(checkXet({}, 'xet', true).level).toBe('ok')
  })

  test('finds the Xet package beside the Python in PATH', () => {
    const folder = temporaryDirectory()
    const bin = join(folder, 'venv', 'bin')
    const packages = join(folder, 'venv', 'lib', 'python3.12', 'site-packages')
    mkdirSync(bin, { recursive: true })
    mkdirSync(packages, { recursive: true })
    writeFileSync(join(bin, 'python3'), '')
    const env = { PATH: [join(folder, 'nowhere'), bin].join(delimiter) }
    expect(findXet(env)).toBeUndefined()
    mkdirSync(join(packages, 'hf_xet'))
    expect(findXet(env)).toBe(join(packages, 'hf_xet'))
  })
})

describe('doctor: proxies', () => {
  test.each([
    ['http', { HTTP_PROXY: 'http://p' }, true],
    ['http', { http_proxy: 'http://p' }, true],
    ['http', { all_proxy: 'socks5://p' }, true],
    ['http', { HTTPS_PROXY: 'http://p' }, false],
    ['https', { HTTPS_PROXY: 'http://p' }, true],
    ['http', { HTTP_PROXY: '' }, false],
    ['http', { HTTP_PROXY: 'http://p', NO_PROXY: 'localhost' }, false],
    // curl and Python read the lower spelling first, others the upper.
    ['http', { HTTP_PROXY: 'http://p', NO_PROXY: 'localhost', no_proxy: 'a.test' }, true],
  ])('of %s with %j are a problem: %j', (scheme, env, isTroubled) => {
    const found = checkProxies([`${scheme}://localhost:7420`], env)
    expect(found.some(({ level }) => level === 'fail')).toBe(isTroubled)
  })

  test('keeps existing entries of NO_PROXY', () => {
    const env = { HTTP_PROXY: 'http://p', NO_PROXY: 'a.test' }
    expect(checkProxies([url], env)[0]?.fix).toContain("NO_PROXY='a.test,localhost'")
  })

  test.each([
    ['localhost', 'localhost', true],
    ['a.test, LOCALHOST', 'localhost', true],
    ['*', 'hub.test', true],
    ['.test', 'hub.test', true],
    ['*.test', 'hub.test', true],
    ['test', 'latest', false],
    ['localhost:7420', 'localhost', true],
    ['localhost:80', 'localhost', false],
    ['127.0.0.0/8', '127.0.0.1', true],
    ['127.0.0.0/8', '10.0.0.1', false],
    ['127.0.0.0/99', '127.0.0.1', false],
    ['[::1]', '::1', true],
    ['', 'localhost', false],
  ])('NO_PROXY=%j includes %s: %j', (list, host, isNamed) => {
    expect(spares(list, host, '7420')).toBe(isNamed)
  })
})

describe('doctor: certificates', () => {
  const day = 86_400_000
  test('distinguishes one that expires soon from an expired one, and names missing hosts', async () => {
    const { cert } = await generate([{ name: 'commonName', value: 'sandbox' }], {
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [
        {
          name: 'subjectAltName',
          altNames: [
            { type: 2, value: 'localhost' },
            { type: 7, ip: '127.0.0.1' },
          ],
        },
      ],
    })
    const certificate = new X509Certificate(cert)
    const end = Date.parse(certificate.validTo)
    const levels = (now: number, ...urls: string[]) =>
      judgeCertificate(certificate, urls, now).map(({ level }) => level)
    expect(levels(end - 40 * day, 'https://localhost:7420', 'https://127.0.0.1:7420')).toEqual([])
    expect(levels(end - 10 * day, 'https://localhost:7420')).toEqual(['note'])
    expect(levels(end + 2 * day, 'https://localhost:7420')).toEqual(['fail'])
    const [other] = judgeCertificate(certificate, ['https://hub.test:7420'], end - 40 * day)
    expect(other).toMatchObject({ level: 'fail' })
    expect(other?.fix).toContain('--allow-host hub.test')
  })
})

describe('doctor: ports', () => {
  test('reads listening programs from the tables of Linux and Windows', () => {
    const linux = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1CFC 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1
   1: 0100007F:1CFC 0100007F:A000 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1
   2: 0100007F:1CFD 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4713 1`
    expect(listeningInodes(linux, 7420)).toEqual(['4711'])
    const windows = [
      '  Proto  Lokale Adresse         Remoteadresse          Status           PID',
      '  TCP    127.0.0.1:7420         127.0.0.1:50000        HERGESTELLT      11',
      '  TCP    127.0.0.1:7420         0.0.0.0:0              ABHÖREN          12',
    ].join('\r\n')
    expect(listeningProcess(windows, 7420)).toBe('12')
    expect(listeningProcess(windows, 742)).toBeUndefined()
  })
})

test('doctor reports an unsupported version of Node', () => {
  expect(['18.20.0', '20.18.9', '20.19.0', '24.1.0'].map((one) => checkNode(one).level)).toEqual([
    'fail',
    'fail',
    'ok',
    'ok',
  ])
})
