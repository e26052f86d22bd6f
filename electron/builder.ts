import type { Configuration } from 'electron-builder'
import { appId } from './app-id.ts'
import { linkScheme } from './links.ts'

/**
 * How the app is packed: `npm run package`. Everything is bundled into `dist`, so no package comes along.
 * This configuration neither signs nor publishes the app: a distributor sets that up through electron-builder's environment.
 */
const configuration: Configuration = {
  appId,
  productName: 'hub-sandbox',
  directories: { output: 'dist/packages', buildResources: 'electron/icons' },
  files: [
    'dist/electron/**',
    'dist/renderer/**',
    'fixtures/**',
    'LICENSE',
    '!**/.vite/**',
    '!node_modules/**',
  ],
  // The published package starts the command line; the app starts here, and Linux knows its windows by this name.
  extraMetadata: { main: 'dist/electron/main.js', desktopName: 'hub-sandbox.desktop' },
  // No native modules, so nothing is rebuilt for Electron.
  npmRebuild: false,
  publish: null,
  fileAssociations: [
    {
      ext: 'hubsandbox',
      name: 'Sandbox fixtures',
      description: 'Fixtures of hub-sandbox',
      mimeType: 'application/x-hubsandbox',
      role: 'Viewer',
    },
  ],
  protocols: [{ name: 'Links to hub-sandbox', schemes: [linkScheme] }],
  asar: true,
  electronFuses: {
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
    // Changing the binary breaks its signature, without which it does not start on Apple silicon.
    resetAdHocDarwinSignature: true,
  },
  mac: {
    category: 'public.app-category.developer-tools',
    icon: 'icon-mac.png',
    target: ['dmg', 'zip'],
  },
  // A file association needs an installation for the whole machine.
  nsis: { oneClick: false, perMachine: true },
  win: { icon: 'icon.png', target: ['nsis', 'zip'] },
  linux: {
    category: 'Development',
    icon: 'icon.png',
    // The first line of a .deb's description; the rest is that of package.json, as homepage and maintainer are.
    synopsis: 'an offline Hugging Face Hub for developers',
    syncDesktopName: true,
    target: ['AppImage', 'deb'],
  },
}

export default configuration
