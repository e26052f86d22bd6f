import { defineConfig } from '@playwright/test'

const port = process.env.PORT ?? '3000'
// A browser that is there already; without one: npx playwright install chromium
const executablePath = process.env.CHROME_PATH

export default defineConfig({
  workers: 1,
  use: {
    baseURL: `http://localhost:${port}`,
    launchOptions: executablePath ? { executablePath } : {},
  },
  webServer: { command: 'node server.js', env: { PORT: port }, url: `http://localhost:${port}` },
})
