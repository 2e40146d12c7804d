const { Buffer } = require('node:buffer');
const { EmulatorEmscriptenWasm } = require('@ton/sandbox/dist/executor/emulator-emscripten.wasm.js');

/*
 * V8 shares what it has compiled of a WebAssembly module between all threads of a process, as long as one of them has the module.
 * Held here, the TON virtual machine is optimised once in a process instead of in every local network that a test starts, which
 * takes a second of processor time.
 */
module.exports = globalThis.WebAssembly.compile(Buffer.from(EmulatorEmscriptenWasm, 'base64'));
