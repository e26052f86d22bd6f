import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { clientSettingsText } from '../../../electron/client-settings.ts'

const hostile = { HF_ENDPOINT: 'http://localhost:7420', OAUTH_CLIENT_SECRET: `a'b $(id) "c" #d` }

describe('client settings as text', () => {
  test.skipIf(process.platform === 'win32')('are read back by a shell unchanged', () => {
    const text = clientSettingsText(hostile, 'shell', 'linux')
    const program = `${text}printf '%s|%s' "$HF_ENDPOINT" "$OAUTH_CLIENT_SECRET"`
    const said = execFileSync('sh', ['-c', program], { encoding: 'utf8' })
    expect(said).toBe(Object.values(hostile).join('|'))
  })

  test('are for PowerShell on Windows, with every kind of single quote doubled', () => {
    expect(clientSettingsText({ A: `x'y’z` }, 'shell', 'win32')).toBe(`$env:A = 'x''y’’z'\n`)
  })

  test('are quoted in a .env file if needed', () => {
    expect(clientSettingsText({ A: 'http://localhost:7420', B: '$(id)' }, 'dotenv', 'win32')).toBe(
      "A=http://localhost:7420\nB='$(id)'\n",
    )
  })
})
