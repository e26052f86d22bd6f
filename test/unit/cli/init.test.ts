import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { schemaAddress } from '../../../server/cli/init.ts'

const installedAt = (root: string) =>
  pathToFileURL(join(resolve(root), 'fixtures/fixtures.schema.json')).href
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
      installedAt('/home/a/.npm/_npx/1/node_modules/hub-sandbox'),
    ],
    [
      'far from a clone',
      '/home/a/app/hub.json',
      '/home/a/src/hub-sandbox',
      installedAt('/home/a/src/hub-sandbox'),
    ],
  ])('%s is that of the installed copy', (_where, file, root, address) => {
    expect(schemaAddress(resolve(file), resolve(root))).toBe(address)
  })
})
