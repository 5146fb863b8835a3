// SPDX-License-Identifier: Apache-2.0
//
// A libnvcuvid.so.1 of a machine whose device decodes nothing. The plugin offers its transfer and conversion elements only where such a
// library can be loaded.
enum { kNotSupported = 801 };

#define NOTHING(name) \
  int name(void) { return kNotSupported; }

NOTHING(cuvidCreateDecoder)
NOTHING(cuvidDestroyDecoder)
NOTHING(cuvidDecodePicture)
NOTHING(cuvidCreateVideoParser)
NOTHING(cuvidDestroyVideoParser)
NOTHING(cuvidParseVideoData)
NOTHING(cuvidMapVideoFrame64)
NOTHING(cuvidUnmapVideoFrame64)
NOTHING(cuvidGetDecoderCaps)
NOTHING(cuvidCtxLockCreate)
NOTHING(cuvidCtxLockDestroy)
NOTHING(cuvidCtxLock)
NOTHING(cuvidCtxUnlock)
