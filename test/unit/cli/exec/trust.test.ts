import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { trustVariables } from '../../../../server/cli/exec/trust.ts'
import { temporaryDirectory } from '../../../helpers/temporary-directory.ts'

const ours = '-----BEGIN CERTIFICATE-----\nours\n-----END CERTIFICATE-----\n'
const theirs = '-----BEGIN CERTIFICATE-----\ntheirs\n-----END CERTIFICATE-----'

const read = (file: string | undefined) => readFileSync(file ?? '', 'utf8')

describe('certificates trusted by a program', () => {
  test('stay unchanged without anything to add', async () => {
    expect(await trustVariables([], { SSL_CERT_FILE: '/x' }, temporaryDirectory())).toEqual({})
  })

  test('are the public roots and the sandbox’s: SSL_CERT_FILE replaces them', async () => {
    const made = await trustVariables([ours], {}, temporaryDirectory())
    expect(Object.keys(made)).toEqual([
      'NODE_EXTRA_CA_CERTS',
      'SSL_CERT_FILE',
      'REQUESTS_CA_BUNDLE',
    ])
    expect(read(made['NODE_EXTRA_CA_CERTS'])).toBe(ours)
    for (const name of ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE']) {
      const bundle = read(made[name])
      expect(bundle.endsWith(ours)).toBe(true)
      expect(bundle.match(/BEGIN CERTIFICATE/g)?.length).toBeGreaterThan(50)
    }
  })

  test('keep those that the user’s variables name', async () => {
    const folder = temporaryDirectory()
    const file = join(folder, 'theirs.pem')
    writeFileSync(file, theirs)
    const names = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE']
    const inherited = Object.fromEntries(names.map((name) => [name, file]))
    const made = await trustVariables([ours], inherited, folder)
    expect(Object.keys(made)).toEqual(names)
    for (const name of names) expect(read(made[name])).toBe(`${theirs}\n${ours}`)
    expect(read(file)).toBe(theirs)
  })

  test('treat a variable with a missing file as unset', async () => {
    const folder = temporaryDirectory()
    const inherited = { NODE_EXTRA_CA_CERTS: join(folder, 'nowhere'), SSL_CERT_FILE: folder }
    const made = await trustVariables([ours], inherited, folder)
    expect(read(made['NODE_EXTRA_CA_CERTS'])).toBe(ours)
    expect(read(made['SSL_CERT_FILE']).length).toBeGreaterThan(1000)
  })
})
