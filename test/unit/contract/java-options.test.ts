import { expect, test } from 'vitest'
import { javaToolOptions } from '../../../server/contract/java-options.ts'

test('JAVA_TOOL_OPTIONS keeps the options of the user, and sets each property once', () => {
  const store = { 'javax.net.ssl.trustStore': '/own folder/store.jks' }
  const once = javaToolOptions(`-Xmx1g -Dname="two words"`, store)
  expect(once).toBe(`-Xmx1g -Dname="two words" "-Djavax.net.ssl.trustStore=/own folder/store.jks"`)
  expect(javaToolOptions(once, store)).toBe(once)
})

test('JAVA_TOOL_OPTIONS has the properties alone if the user has no options', () => {
  for (const existing of [undefined, '', ' ']) {
    expect(javaToolOptions(existing, { 'http.proxyPort': '8080' })).toBe('-Dhttp.proxyPort=8080')
  }
})
