import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  billOfMaterials,
  bundledPackages,
  notices,
} from '../../../server/tools/launch/third-party.mjs'

const product = { name: 'hub-sandbox', version: '0.1.0', license: 'MIT' }

const packages = [
  { name: '@fastify/static', version: '10.1.11', identifier: 'MIT', text: 'Copyright (c) Fastify' },
  { name: 'wouter', version: '3.13.0', identifier: 'Unlicense' },
  { name: 'unlicensed', version: '1.0.0' },
]

/** Folder with the given files; removed after the test. */
function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-third-party-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Schema of a CycloneDX version, as the CycloneDX library ships it. */
function schemaFile(name: string): Record<string, unknown> {
  const library = createRequire(import.meta.url).resolve(
    '@cyclonedx/cyclonedx-library/package.json',
  )
  return JSON.parse(readFileSync(join(dirname(library), 'res/schema', name), 'utf8')) as Record<
    string,
    unknown
  >
}

describe('the list of bundled packages', () => {
  test('the bill of materials is valid CycloneDX 1.6', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false })
    for (const name of ['spdx.SNAPSHOT', 'jsf-0.82.SNAPSHOT', 'cryptography-defs.SNAPSHOT']) {
      const { $id: _, ...schema } = schemaFile(`${name}.schema.json`)
      ajv.addSchema(schema, `http://cyclonedx.org/schema/${name}.schema.json`)
    }
    const isValid = ajv.compile(schemaFile('bom-1.6.SNAPSHOT.schema.json'))
    const bom = billOfMaterials(product, packages)
    isValid(bom)
    expect(isValid.errors).toBe(null)
    expect(isValid({ ...bom, components: [{ name: 'a' }] })).toBe(false)
  })

  test('a scoped package has its scope as group and percent-encoded in its URL', () => {
    expect(billOfMaterials(product, packages).components[0]).toMatchObject({
      group: '@fastify',
      name: 'static',
      purl: 'pkg:npm/%40fastify/static@10.1.11',
    })
  })

  test('notices name license and text, and say when a package ships none', () => {
    const text = notices(packages)
    expect(text).toContain(
      '## @fastify/static 10.1.11\n\nLicense: MIT\n\n~~~text\nCopyright (c) Fastify\n~~~',
    )
    expect(text).toContain(
      '## unlicensed 1.0.0\n\nLicense: unknown\n\n~~~text\nThe package ships no',
    )
  })

  test('packages of all builds are listed once, style sheets and whole packages included', () => {
    const build = (...names: string[]) =>
      JSON.stringify(names.map((name) => ({ name, version: '1.0.0', text: name })))
    const server = folderWith({
      '.vite/packages-main.json': build('b', 'a'),
      '.vite/packages-preload.json': '[]',
    })
    const dashboard = folderWith({
      '.vite/packages.json': build('b'),
      'assets/index.css': '/*! tailwindcss v4.3.3 | MIT License */\n@layer base{}',
    })
    const shipped = folderWith({
      'package.json': '{"name":"electron","version":"9.0.0"}',
      LICENSE: 'MIT',
    })
    expect(bundledPackages([server, dashboard, shipped]).map(({ name }) => name)).toEqual([
      'a',
      'b',
      'electron',
      'tailwindcss',
    ])
  })
})
