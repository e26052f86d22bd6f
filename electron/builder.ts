import type { Configuration } from 'electron-builder'

/**
 * How the app is packed: `npm run package`. Everything is bundled into `dist`, so no package comes along.
 * Nothing is signed or published here: whoever distributes the app sets that up by electron-builder's environment.
 */
const configuration: Configuration = {
  appId: 'io.github.hub-sandbox',
  productName: 'hub-sandbox',
  directories: { output: 'dist/packages', buildResources: 'electron/icons' },
  files: ['dist/electron/**', 'dist/renderer/**', 'fixtures/**', '!node_modules/**'],
  // The published package starts the command line; the app starts here.
  extraMetadata: { main: 'dist/electron/main.js' },
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
    icon: 'icon.icns',
    target: ['dmg', 'zip'],
  },
  // A file association needs an installation for the whole machine.
  nsis: { oneClick: false, perMachine: true },
  win: { icon: 'icon.ico', target: ['nsis', 'zip'] },
  linux: { category: 'Development', icon: 'icon.png', target: ['AppImage', 'deb'] },
}

export default configuration
