import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { cliCommand } from '../helpers/command-line.ts'
import { interceptMissing } from '../helpers/intercepted-program.ts'
import { bareEnvironment, hasProgram } from '../helpers/programs.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const patience = 120_000

/** Sends a request to each URL with the client of the JDK, which knows nothing of the sandbox. */
const program = `
import java.net.URI;
import java.net.http.*;

public class Get {
  public static void main(String[] urls) {
    var client = HttpClient.newHttpClient();
    for (var url : urls) {
      if (url.equals("HUB")) url = System.getenv("HF_ENDPOINT") + "/api/models";
      try {
        var request = HttpRequest.newBuilder(URI.create(url)).build();
        var response = client.send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(response.statusCode() + " " + response.body());
      } catch (Exception error) {
        System.out.println("failed: " + error);
      }
    }
    System.out.println("mine=" + System.getProperty("mine"));
  }
}
`

beforeEach(({ skip }) => {
  skip(!hasProgram('java', '-version'), 'java is not installed')
})

/** Runs the program under `exec`. */
function get(flags: readonly string[], urls: readonly string[]) {
  const folder = temporaryDirectory()
  writeFileSync(join(folder, 'Get.java'), program)
  const command = [...cliCommand, 'exec', ...flags, '--', 'java', 'Get.java', ...urls]
  const env = bareEnvironment({
    HOME: folder,
    XDG_DATA_HOME: folder,
    JAVA_TOOL_OPTIONS: '-Dmine="two words"',
  })
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const [file = '', ...args] = command
    execFile(file, args, { cwd: folder, env, timeout: patience }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })
}

describe('a Java program', { timeout: patience }, () => {
  test('reaches the sandbox over HTTP and HTTPS, and keeps the options of the user', async () => {
    for (const flags of [[], ['--https']]) {
      const { stdout } = await get(flags, ['HUB'])
      expect(stdout).toMatch(/^200 \[\{"/)
      expect(stdout).toContain('mine=two words')
    }
  })

  test('is redirected by the proxy, and learns which host is not', async ({ skip }) => {
    skip(interceptMissing !== undefined, interceptMissing)
    const flags = ['--intercept', 'https://huggingface.co', '--proxy']
    const { stdout, stderr } = await get(flags, [
      'https://huggingface.co/api/models',
      'https://hub.example.com/',
      'http://hub.example.com/',
    ])
    const [first = '', second, third] = stdout.split('\n')
    expect(first).toMatch(/^200 \[\{"/)
    expect(`${second}\n${third}`).toMatch(/403 hub\.example\.com is not intercepted/)
    expect(stderr.match(/hub\.example\.com is not intercepted/g)).toHaveLength(1)
    expect(stderr).toContain('add --intercept https://hub.example.com')
    expect(stderr).toContain('Not redirected: ')
  })

  test('trusts the sandbox with the variables of env alone', async () => {
    const folder = temporaryDirectory()
    const line = `eval "$(${cliCommand.map((word) => `'${word}'`).join(' ')} env)"; java Get.java HUB`
    const { stdout } = await new Promise<{ stdout: string }>((resolve) => {
      writeFileSync(join(folder, 'Get.java'), program)
      const [file = '', ...args] = cliCommand
      const env = bareEnvironment({ HOME: folder, XDG_DATA_HOME: folder })
      const flags = ['exec', '--https', '--data', folder, '--', 'sh', '-c', line]
      execFile(file, [...args, ...flags], { cwd: folder, env, timeout: patience }, (_error, out) =>
        resolve({ stdout: out }),
      )
    })
    expect(stdout).toMatch(/^200 \[\{"/)
    // Public roots too: Maven and Gradle read the same variable.
    expect(readFileSync(join(folder, 'certificate.jks')).length).toBeGreaterThan(50_000)
  })
})
