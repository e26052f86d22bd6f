import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { schemaAddress } from '../../../server/commands/init.ts'
import { packageVersion } from '../../../server/core/package-root.ts'

const published = `https://unpkg.com/hub-sandbox@${packageVersion}/fixtures/fixtures.schema.json`
const installed = 'node_modules/hub-sandbox/fixtures/fixtures.schema.json'

describe('the $schema of a starter file', () => {
  test.each([
    [
      'beside the installed package',
      '/app/hub.json',
      '/app/node_modules/hub-sandbox',
      `./${installed}`,
    ],
    [
      'in a workspace',
      '/app/packages/web/hub.json',
      '/app/node_modules/hub-sandbox',
      `../../${installed}`,
    ],
    ['within the package itself', '/src/hub.json', '/src', './fixtures/fixtures.schema.json'],
    [
      'far from a package that npx fetched',
      '/app/hub.json',
      '/home/a/.npm/_npx/1/node_modules/hub-sandbox',
      published,
    ],
    ['far from a clone', '/home/a/app/hub.json', '/home/a/src/hub-sandbox', published],
  ])('%s means the same on another machine', (_where, file, root, address) => {
    expect(schemaAddress(resolve(file), resolve(root))).toBe(address)
  })
})
