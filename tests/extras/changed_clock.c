/* Reads the system's clock and adds the seconds that the file of CLOCK_OFFSET_FILE says at that moment. The kernel is
   asked itself: libfaketime asks the C library, whose answer jemalloc (of redis-server) awaits before it can allocate. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t offset(void) {
    char text[32] = {0};
    const char *path = getenv("CLOCK_OFFSET_FILE");
    int file = path ? open(path, O_RDONLY) : -1;
    ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    return length > 0 ? atol(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *moment) {
    int result = syscall(SYS_clock_gettime, clock, moment);
    if (result == 0 && clock == CLOCK_REALTIME) moment->tv_sec += offset();
    return result;
}

int gettimeofday(struct timeval *moment, void *zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    moment->tv_sec = now.tv_sec;
    moment->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *moment) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (moment) *moment = now.tv_sec;
    return now.tv_sec;
}
