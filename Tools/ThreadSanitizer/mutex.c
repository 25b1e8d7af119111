// Ferry: offline-first sync for Parse Server. MIT licence.

// Tells the thread sanitizer about Swift's Mutex. Loaded before all other libraries (LD_PRELOAD).
//
// Where no thread waits, a Mutex is an atomic word, which the sanitizer sees. Where threads meet, the library
// Synchronization waits in these two functions. The sanitizer does not know that library, and without these notes it
// reports a race for each state that a Mutex protects (Swift 6.3.1 on Linux). A process without the sanitizer takes no notes.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
// _MutexHandle._lockSlow(UInt32) and _MutexHandle._unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static void note(const char *name, void *mutex) {
  void (*sanitizer)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, name);
  if (sanitizer) sanitizer(mutex);
}

SWIFT void lock_slow(uint32_t owner, SELF void *mutex) __asm__(LOCK);
SWIFT void lock_slow(uint32_t owner, SELF void *mutex) {
  SWIFT void (*next)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK);
  next(owner, mutex);
  note("__tsan_acquire", mutex);
}

SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK);
SWIFT void unlock_slow(SELF void *mutex) {
  SWIFT void (*next)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK);
  note("__tsan_release", mutex);
  next(mutex);
}
