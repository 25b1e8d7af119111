// Ferry: offline-first sync for Parse Server. MIT licence.

// Runs a program and prints its cost: seconds by the clock, seconds of the processor, and KiB of memory at most.
//
// The system counts the memory of a new process from that of the process that starts it, so a small one has to.

#include "limits.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

extern char **environ;

namespace {

double seconds(const timeval &time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; }

pid_t start(char **arguments) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  if (posix_spawnp(&process, arguments[0], &actions, nullptr, arguments, environ) != 0) {
    fail("the program cannot be started");
  }
  posix_spawn_file_actions_destroy(&actions);
  return process;
}

} // namespace

void run_measured(char **arguments) {
  // The disk gets all that others left behind before the program runs.
  sync();
  const auto began = std::chrono::steady_clock::now();
  const pid_t process = start(arguments);
  int status = 0;
  rusage usage{};
  while (wait4(process, &status, 0, &usage) < 0 && errno == EINTR) {}
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
  if (status != 0) { fail("the program failed"); }
  std::printf(
    "%.6f %.6f %ld\n", wall.count(), seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
}
