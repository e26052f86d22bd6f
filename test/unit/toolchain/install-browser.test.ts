import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { libraryFolders, packagesToUnpack, startScript } from '../../helpers/install-browser.mjs'

async function folder(...files: string[]) {
  const root = await mkdtemp(join(tmpdir(), "chromium's root "))
  onTestFinished(() => rm(root, { recursive: true }))
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), '')
  }
  return root
}

describe('unpacking Chromium without root', () => {
  test('names each package with the version the index offers', () => {
    const simulation = [
      'NOTE: This is only a simulation!',
      'Inst libxslt1.1 (1.1.35-1+deb12u3 Debian:12.12/oldstable [amd64])',
      'Inst libnss3 [2:3.87-1] (2:3.87.1-1+deb12u1 Debian-Security:12/oldstable [amd64])',
      'Conf libxslt1.1 (1.1.35-1+deb12u3 Debian:12.12/oldstable [amd64])',
    ].join('\n')
    expect(packagesToUnpack(simulation)).toEqual([
      'libxslt1.1=1.1.35-1+deb12u3',
      'libnss3=2:3.87.1-1+deb12u1',
    ])
  })

  test('finds the libraries of any architecture and those one folder deeper', async () => {
    const root = await folder(
      'lib/aarch64-linux-gnu/libdrm.so.2',
      'usr/lib/aarch64-linux-gnu/libpulse.so.0',
      'usr/lib/aarch64-linux-gnu/pulseaudio/libpulsecommon-16.1.so',
      'usr/lib/aarch64-linux-gnu/gconv/notes',
      'usr/lib/chromium/libEGL.so',
    )
    expect(libraryFolders(root)).toEqual([
      'lib/aarch64-linux-gnu',
      'usr/lib/aarch64-linux-gnu',
      'usr/lib/aarch64-linux-gnu/pulseaudio',
    ])
  })

  test.runIf(process.platform === 'linux')('starts it with its libraries found', async () => {
    const root = await folder('usr/lib/chromium/chromium-headless-shell', 'start')
    const program = join(root, 'usr/lib/chromium/chromium-headless-shell')
    await writeFile(program, '#!/bin/sh\necho "$LD_LIBRARY_PATH|$1"\n')
    await writeFile(
      join(root, 'start'),
      startScript(root, ['lib/a', 'usr/lib/b'], 'chromium-headless-shell'),
    )
    for (const path of [program, join(root, 'start')]) await chmod(path, 0o755)
    const { stdout } = spawnSync(join(root, 'start'), ['--one two'], {
      encoding: 'utf8',
      env: { LD_LIBRARY_PATH: '/own' },
    })
    expect(stdout).toBe(`${root}/lib/a:${root}/usr/lib/b:/own|--one two\n`)
  })
})
