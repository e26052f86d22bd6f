import { readdirSync, readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ConfigError } from '../../../../server/core/config-error.ts'
import { environmentName, flagName } from '../../../../server/core/flag-names.ts'

const root = new URL('../../../../', import.meta.url)

describe('names of flags', () => {
  test('are written as each place writes names', () => {
    expect(flagName('baseUrl')).toBe('--base-url')
    expect(environmentName('autoApprove')).toBe('HUB_SANDBOX_AUTO_APPROVE')
  })

  test('stand in a list once only', () => {
    // Those that are no everyday words.
    const telling =
      'baseUrl autoApprove deliveryProfile rateLimits allowHost allowOrigin allowNetwork runJobs runJobsEnv controlToken logLevel'
    const spellings = telling
      .split(' ')
      .map((key) => new RegExp(`\\b${key}\\b|${flagName(key)}\\b|\\b${environmentName(key)}\\b`))
    const files = ['server', 'electron', 'renderer'].flatMap((folder) =>
      readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.(tsx?|mjs)$/.test(path))
        .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
    )
    const lists = files.filter((path) => {
      const text = readFileSync(new URL(path, root), 'utf8')
      return spellings.filter((spelling) => spelling.test(text)).length > spellings.length * 0.7
    })
    expect(lists).toEqual(['server/contract/flags.ts'])
  })
})

describe('a flag that is added to the record, and nowhere else', () => {
  /** Adds these flags to every part that knows flags. */
  async function partsWith(added: object) {
    vi.resetModules()
    vi.doMock('../../../../server/contract/flags.ts', async (original) => {
      const real = await original<{ flags: object; flagList: readonly object[] }>()
      const more = Object.entries(added).map(([key, flag]) => ({ key, ...flag }))
      return {
        ...real,
        flags: { ...real.flags, ...added },
        flagList: [...real.flagList, ...more],
      }
    })
    const { createProgram } = await import('../../../../server/cli/program.ts')
    const { candidates } = await import('../../../../server/cli/candidates.ts')
    const { resolveOptions } = await import('../../../../server/app/config/resolve.ts')
    const { fixturesSchema } = await import('../../../../server/fixtures/schema.ts')
    const { renderFlagTable } = await import('../../../../server/tools/docs/tables.ts')
    const { renderOptionsTypes } =
      await import('../../../../server/tools/types/write-options-types.ts')
    return {
      help: () => createProgram().commands[0]?.helpInformation().replaceAll(/\s+/g, ' '),
      complete: (line: string) =>
        candidates(createProgram(), line.split(' '), () => Promise.resolve(undefined)),
      resolve: async (options: object, env: Record<string, string> = {}) => {
        const { settings, ...start } = await resolveOptions(options, env)
        return { settings, start } as Record<'settings' | 'start', unknown>
      },
      issues: (options: object, env: Record<string, string> = {}) =>
        resolveOptions(options, env).then(
          () => [],
          // Its class was loaded anew with the rest.
          ({ issues }: ConfigError) => issues.map(({ path, message }) => `${path}: ${message}`),
        ),
      ofFile: fixturesSchema.properties?.['config']?.properties ?? {},
      readme: renderFlagTable(),
      options: renderOptionsTypes(),
    }
  }

  // Other files share what is loaded.
  afterEach(() => {
    vi.doUnmock('../../../../server/contract/flags.ts')
    vi.resetModules()
  })

  let parts: Awaited<ReturnType<typeof partsWith>>
  beforeEach(async () => {
    parts = await partsWith({
      nightShift: {
        schema: Type.Integer({ minimum: 1, default: 3, description: 'Nights that it works' }),
        placeholder: 'nights',
        handedTo: 'settings',
      },
      dayColour: {
        schema: Type.String({ enum: ['red', 'blue'], default: 'red', description: 'Colour' }),
        inProcess: 'blue',
        handedTo: 'start',
      },
      openDoor: {
        schema: Type.Array(Type.String(), { default: [], description: 'Door that is open' }),
        placeholder: 'door',
        neverFromFile: 'decides what others may reach',
      },
    })
  })

  test('is in the help', () => {
    expect(parts.help()).toContain('--night-shift <nights> Nights that it works (default 3)')
    expect(parts.help()).toContain('--day-colour <value> Colour: red, blue (default red)')
    expect(parts.help()).toMatch(
      /never read from a fixtures file.*--open-door <door> Door that is open; repeat/,
    )
  })

  test('is completed, and its choices', async () => {
    expect(await parts.complete('start --night')).toEqual(['--night-shift'])
    expect(await parts.complete('start --day-colour=b')).toEqual(['--day-colour=blue'])
  })

  test('is read from code, the environment and a file, and handed on', async () => {
    expect(await parts.resolve({})).toMatchObject({
      settings: { nightShift: 3 },
      start: { dayColour: 'blue' },
    })
    expect(await parts.resolve({ nightShift: 5, dayColour: 'red' })).toMatchObject({
      settings: { nightShift: 5 },
      start: { dayColour: 'red' },
    })
    expect(await parts.resolve({}, { HUB_SANDBOX_NIGHT_SHIFT: '6' })).toMatchObject({
      settings: { nightShift: 6 },
    })
    const config = { nightShift: 7, dayColour: 'red' }
    expect(await parts.resolve({ fixtures: { config } })).toMatchObject({
      settings: { nightShift: 7 },
      start: { dayColour: 'red' },
    })
  })

  test('is refused where it is wrong', async () => {
    expect(await parts.issues({ nightShift: 0 }, { HUB_SANDBOX_DAY_COLOUR: 'bleu' })).toEqual([
      'nightShift: must be a whole number from 1 to any, not 0',
      'HUB_SANDBOX_DAY_COLOUR: must be one of red, blue, not "bleu" (did you mean "blue"?)',
    ])
    expect(await parts.issues({ fixtures: { config: { openDoor: ['x'] } } })).toEqual([
      'config.openDoor: cannot be set in a fixtures file because it decides what others may reach: use --open-door or HUB_SANDBOX_OPEN_DOOR',
    ])
  })

  test('is in the schema of fixtures where a file may have it, without a default', () => {
    expect(parts.ofFile).toMatchObject({ nightShift: { type: 'integer', minimum: 1 } })
    expect(parts.ofFile['nightShift']).not.toHaveProperty('default')
    expect(parts.ofFile).not.toHaveProperty('openDoor')
  })

  test('is documented', () => {
    expect(parts.readme).toContain(
      '| `--night-shift nights` | `HUB_SANDBOX_NIGHT_SHIFT` | `config.nightShift` | Nights that it works (default 3) |',
    )
    expect(parts.readme).toContain('| `--open-door door` | `HUB_SANDBOX_OPEN_DOOR` |  |')
    expect(parts.options).toContain('/** Nights that it works. Default: 3. */\nnightShift?: number')
    expect(parts.options).toContain(`export type DayColour = "red" | "blue"`)
    expect(parts.options).toContain('openDoor?: string | readonly string[]')
  })
})
