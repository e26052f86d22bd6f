import { basename, dirname } from 'node:path'
import type { Comparison } from '../server/contract/control-comparison.ts'
import type { Fixtures } from '../server/contract/fixtures-types.ts'
import { messageOf } from '../server/core/background.ts'
import { compareFixtures } from '../server/fixtures/compare.ts'
import { openingNotices, openingsOf } from '../server/fixtures/openings.ts'
import { readFixtures } from '../server/fixtures/read.ts'
import { connectControl } from './control.ts'
import type { ElectronApi } from './electron-api.ts'
import { plainLine } from './plain-text.ts'
import { describeContent, describeDifferences, describeLog } from './preview-text.ts'
import type { ShownSandbox } from './sandboxes.ts'

/**
 * Shows the content of a fixtures file and asks whether to open it. If the file changes meanwhile, it
 * is shown again.
 * @param own sandbox for the comparison; undefined if it is not running
 * @returns whether to restart open it
 * @throws {ConfigError} with every mistake in the file
 */
export async function agreeToOpen(
  { dialog }: Pick<ElectronApi, 'dialog'>,
  path: string,
  own: ShownSandbox | undefined,
): Promise<boolean> {
  const read = () => readFixtures(path, dirname(path))
  let shown = await read()
  for (;;) {
    const detail = await describeFile(shown.fixtures, own)
    const { response } = await dialog.showMessageBox({
      type: 'question',
      title: 'hub-sandbox',
      message: `Open ${plainLine(basename(path), 80)}?`,
      detail,
      buttons: ['Open', 'Cancel'],
      defaultId: 0,
      cancelId: 1,
      noLink: true,
    })
    if (response !== 0) return false
    const present = await read()
    if (present.hash === shown.hash) return true
    shown = present
  }
}

async function describeFile(fixtures: Fixtures, own: ShownSandbox | undefined): Promise<string> {
  return [
    'It opens in a separate sandbox in memory. Your sandbox is not changed.',
    '',
    ...describeContent(compareFixtures(fixtures, {})),
    ...openingNotices(openingsOf(fixtures), 'It').map((line) => plainLine(line, 300)),
    ...describeLog(fixtures.log),
    '',
    ...(await describeAgainst(fixtures, own)),
  ].join('\n')
}

async function describeAgainst(
  fixtures: Fixtures,
  own: ShownSandbox | undefined,
): Promise<readonly string[]> {
  if (own === undefined) return ['Your own sandbox is not running, so there is no comparison.']
  try {
    const call = connectControl(own)
    // The log is not compared, and may be large.
    const { log: _log, ...state } = fixtures
    const body = { fixtures: state }
    const compared: Comparison = await call('POST fixtures/compare', { body })
    return describeDifferences(compared)
  } catch (error) {
    return [`Cannot compare it with your sandbox: ${plainLine(messageOf(error), 200)}`]
  }
}
