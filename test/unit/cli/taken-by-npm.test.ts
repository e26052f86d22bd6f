import { describe, expect, test } from 'vitest'
import { noticeOfTaken } from '../../../server/cli/taken-by-npm.ts'

const flags = ['--ephemeral', '--delivery-profile', '--json']

describe('flags that npm took', () => {
  test('are named with the command that passes them on', () => {
    const env = { npm_config_ephemeral: 'true', npm_config_delivery_profile: 'ci' }
    expect(noticeOfTaken(flags, { ...env, npm_command: 'exec' })).toMatch(
      /^npm took --ephemeral --delivery-profile for .+ start --ephemeral --delivery-profile$/,
    )
    expect(noticeOfTaken(flags, { ...env, npm_command: 'start' })).toMatch(
      / Write: npm start -- --ephemeral --delivery-profile$/,
    )
  })

  test('are none without npm, for options of npm itself, or when the command got them', () => {
    const env = { npm_command: 'exec', npm_config_json: 'true', npm_config_ephemeral: 'true' }
    expect(noticeOfTaken(flags, { ...env, npm_command: undefined })).toBeUndefined()
    expect(noticeOfTaken(['--json'], env)).toBeUndefined()
    expect(noticeOfTaken(['--port'], env)).toBeUndefined()
  })
})
